// read_usd.js: what Pixar's USD sees in a .usda file: one JSON line per prim and time code.
// usage: node tools/read_usd.js FOLDER FILE.usda
// Needs: `npm install three-usdz-loader playwright-core` done in FOLDER (USD 22 as WebAssembly), and chromium.
'use strict';
const fs = require('fs'), http = require('http'), path = require('path');
const { createRequire } = require('module');

// runs in the page: a Hydra render delegate that keeps what USD hands it
async function read(name, bytes) {
  const usd = await window.getUsdModule(undefined, '/usd', undefined);
  await usd.ready;
  const prims = {}, materials = {};
  const delegate = {
    createRPrim: (type, id) => prims[id] = {
      type, points: [], indices: [], primvars: {}, matrix: null, material: null,
      updateIndices(v) { this.indices = Array.from(v); },
      updatePoints(v) { this.points = Array.from(v); },
      updateNormals() {},
      updatePrimvar(primvar, data, size, kind) { this.primvars[primvar] = kind; },
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
        primvars: p.primvars, bounds: [lo[0], hi[0], lo[1], hi[1], lo[2], hi[2]], colour: look.diffuseColor || null });
    }
  }
  return out;
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

async function main(folder, file) {
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
    const rows = await page.evaluate(`(${read})(${JSON.stringify(path.basename(file))}, ${JSON.stringify(bytes)})`);
    for (const row of rows) console.log(JSON.stringify(row));
    // what USD says about the file is kept; that this build lacks some plugins, and how it starts, is not
    const about = line => /error|warning/i.test(line) && !/plugin|Failed to load resource/.test(line);
    for (const line of said.filter(about)) console.error('usd: ' + line);
    return rows.length ? 0 : 1;
  } finally {
    await browser.close();
    server.close();
  }
}
main(process.argv[2], process.argv[3]).then(code => process.exit(code), error => { console.error(String(error)); process.exit(1); });
