// read_usd.js: what Pixar's USD sees in a .usda file: one JSON line per prim and time code that it would draw.
// usage: node tools/read_usd.js FOLDER FILE.usda [TEXT.usda]      TEXT.usda: all that it read, as it writes that itself
// Needs: `npm install three-usdz-loader playwright-core` done in FOLDER (USD 22 as WebAssembly), and chromium.
'use strict';
const fs = require('fs'), http = require('http'), path = require('path');
const { createRequire } = require('module');

// runs in the page: a Hydra render delegate that keeps what USD hands it
async function read(name, bytes, wanted) {
  const usd = await window.getUsdModule(undefined, '/usd', undefined);
  await usd.ready;
  const prims = {}, materials = {};
  const delegate = {
    createRPrim: (type, id) => prims[id] = {
      type, points: [], indices: [], primvars: {}, matrix: null, material: null,
      updateIndices(v) { this.indices = Array.from(v); },
      updatePoints(v) { this.points = Array.from(v); },
      updateNormals() {},
      updatePrimvar(primvar, data, size, kind) {
        const value = Array.from(data || []), range = [Infinity, -Infinity];
        for (const x of value) range[0] = Math.min(range[0], x), range[1] = Math.max(range[1], x);
        this.primvars[primvar] = { kind, values: value.length / size, range };
      },
      setTransform(m) { this.matrix = Array.from(m); },
      setMaterial(id) { this.material = id; },
      commit() {},
    },
    createSPrim: (type, id) => materials[id] = { nodes: {},
      updateNode(net, at, values) { this.nodes[at] = values; }, updateFinished() {} },
    createBPrim: () => undefined,
    CommitResources: () => undefined,
    setDriver: () => undefined,
  };
  usd.FS.createDataFile('/', name, new Uint8Array(bytes), true, true, true);
  const driver = new usd.HdWebSyncDriver(delegate, name);
  const stage = driver.GetStage(), out = [];
  const begin = stage.GetStartTimeCode(), end = stage.GetEndTimeCode();
  // of triangles at the origin's own axes
  const volume = p => {
    const x = k => [0, 1, 2].map(c => p.points[3 * k + c]);
    let sum = 0;
    for (let k = 0; k + 2 < p.indices.length; k += 3) {
      const [a, b, c] = [0, 1, 2].map(i => x(p.indices[k + i]));
      sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
  };
  for (let t = begin; t <= end; t++) {
    driver.SetTime(t);
    driver.Draw();
    for (const [id, p] of Object.entries(prims)) {
      // row vectors times matrix, as USD has it
      const m = p.matrix || [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
      const lo = [1e300, 1e300, 1e300], hi = [-1e300, -1e300, -1e300];
      for (let k = 0; k + 2 < p.points.length; k += 3)
        for (let c = 0; c < 3; c++) {
          const x = m[12 + c] + [0, 1, 2].reduce((s, r) => s + p.points[k + r] * m[4 * r + c], 0);
          lo[c] = Math.min(lo[c], x), hi[c] = Math.max(hi[c], x);
        }
      const look = Object.values((materials[p.material] || { nodes: {} }).nodes)[0] || {};
      out.push({ time: t / stage.GetTimeCodesPerSecond(), prim: id, type: p.type, points: p.points.length / 3,
        triangles: p.indices.length / 3, largest: p.indices.reduce((a, b) => Math.max(a, b), -1),
        volume: volume(p), primvars: { ...p.primvars }, bounds: [lo[0], hi[0], lo[1], hi[1], lo[2], hi[2]], colour: look.diffuseColor || null });
    }
  }
  return { rows: out, text: wanted ? stage.ExportToString() : '' };
}

function serve(folder) {
  const kinds = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
  return http.createServer((request, reply) => {
    // shared memory, which USD's threads need, asks for these two
    const head = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
    const name = path.basename(request.url.split('?')[0]), file = path.join(folder, name);
    if (request.url === '/') return reply.writeHead(200, { ...head, 'Content-Type': 'text/html' }).end('<body>');
    if (!fs.existsSync(file)) return reply.writeHead(404, head).end();
    reply.writeHead(200, { ...head, 'Content-Type': kinds[path.extname(name)] || 'application/octet-stream' });
    fs.createReadStream(file).pipe(reply);
  }).listen(0, '127.0.0.1');
}

async function main(folder, file, text) {
  const { chromium } = createRequire(path.resolve(folder, 'x.js'))('playwright-core');
  const server = serve(path.join(folder, 'node_modules/three-usdz-loader/external'));
  await new Promise(done => server.on('listening', done));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--headless=new'] });
  const page = await browser.newPage();
  const said = [];
  page.on('console', line => said.push(line.text()));
  page.on('pageerror', error => said.push(String(error)));
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.addScriptTag({ url: '/usd/emHdBindings.js' });
    const bytes = Array.from(fs.readFileSync(file));
    const { rows, text: said_back } = await page.evaluate(
      `(${read})(${JSON.stringify(path.basename(file))}, ${JSON.stringify(bytes)}, ${Boolean(text)})`);
    if (text) fs.writeFileSync(text, said_back);
    for (const row of rows) console.log(JSON.stringify(row));
    // what USD says about the file is kept; that this build lacks some plugins and draws nothing by face, and how it
    // starts, is not
    const about = line => /error|warning/i.test(line) &&
      !/plugin|Failed to load resource|Unsupported interpolation type 'uniform' for primvar crackTime/.test(line);
    for (const line of said.filter(about)) console.error('usd: ' + line);
    return rows.length ? 0 : 1;
  } finally {
    await browser.close();
    server.close();
  }
}
main(process.argv[2], process.argv[3], process.argv[4]).then(code => process.exit(code), error => { console.error(String(error)); process.exit(1); });
