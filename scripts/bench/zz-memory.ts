import { spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { startWorld } from '../../media-backend/testing/world.ts'
import { freePort, waitFor } from '../../media-backend/testing/wait.ts'
const world = await startWorld()
const input = await sharp({ create: { width: 160, height: 120, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 40 } } }).jpeg().toBuffer()
const port = await freePort()
const out = openSync('/tmp/r1/gc.txt', 'w')
const child = spawn(process.execPath, ['--max-semi-space-size=2', '--trace-gc', 'media-backend/index.ts'], { env: { ...process.env, ...world.variables, LOCK_SECONDS: '30', PORT: String(port) }, stdio: ['ignore', out, 'inherit'] })
await waitFor('it', () => fetch(`http://127.0.0.1:${port}/health`).then((r) => r.ok, () => false))
for (let n = 100; n <= 5000; n += 100) {
  let open = 100
  const ended = Promise.withResolvers<void>()
  const jobs = Array.from({ length: 100 }, () => world.dispatch(input, { job_id: `bench-${crypto.randomUUID()}`, params: { width: 64 } }))
  world.edge.answer = (r) => { if (r.type !== 'job.finished') return { status: 200, continue: true }; if (--open === 0) ended.resolve(); return { status: 200, continue: false } }
  await world.post(port, '/jobs', { jobs })
  await ended.promise
  world.edge.heard.length = 0; world.storage.objects.clear()
  if (n % 500 === 0) { const s = readFileSync(`/proc/${child.pid}/smaps_rollup`, 'utf8'); console.log(n, /Rss:\s+(\d+)/.exec(s)?.[1], 'anon', /Anonymous:\s+(\d+)/.exec(s)?.[1], Math.round(performance.now() / 1000), 's', readFileSync('/tmp/r1/gc.txt','utf8').trim().split('\n').filter((l)=>l.includes('ms: ')).at(-1)?.slice(0, 120)) }
}
child.kill('SIGTERM'); await world.close()
