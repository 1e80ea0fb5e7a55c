// npm-surface.js: turns an npm package of positions and cells (bunny, teapot) into an OBJ file in
// metres, z up. Usage, in a folder where `npm install bunny teapot` was run:
//   node npm-surface.js bunny height 0.16 > bunny.obj
//   node npm-surface.js teapot width 0.25 > teapot.obj
"use strict";
const path = require("path");
const [name, side, size] = process.argv.slice(2);
const folder = path.join(process.cwd(), "node_modules", name);
const info = require(path.join(folder, "package.json"));
const mesh = require(folder);

// y up -> z up
const points = mesh.positions.map(([x, y, z]) => [x, -z, y]);
const lo = [0, 1, 2].map((k) => Math.min(...points.map((p) => p[k])));
const hi = [0, 1, 2].map((k) => Math.max(...points.map((p) => p[k])));
const scale = Number(size) / (side === "height" ? hi[2] - lo[2] : hi[0] - lo[0]);
// the middle of its foot at the origin, standing on z = 0
const origin = [(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2, lo[2]];

const out = [
  `# ${info.description}, from the npm package ${info.name} ${info.version} (${info.author.name || info.author}; ` +
    `licence: ${info.license}).`,
  `# Scaled to ${side} ${size} m, z up, standing on z = 0, by tools/npm-surface.js.`,
];
for (const p of points)
  out.push("v " + p.map((c, k) => Number(((c - origin[k]) * scale).toFixed(6)) + 0).join(" "));
for (const c of mesh.cells) out.push("f " + c.map((i) => i + 1).join(" "));
process.stdout.write(out.join("\n") + "\n");
