// Generates the client, and builds the Worker's static files in dist/assets: the web application, the legal documents
// and the documentation site. dev/setup.mjs runs this script before `npm start` and `npm test`, and wrangler before it
// deploys. The script is plain JavaScript, so any version of Node can run it.
import { spawnSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = join(root, 'dist/assets')

/** Runs a script in a process of its own, whose memory is freed when it ends. */
function run(script, ...args) {
  const node = join(root, 'node_modules/.bin/node')
  const { status } = spawnSync(node, [join(root, script), ...args], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

// The site and the web application import the generated client.
run('dev/generate-client.ts')
run('dev/site.ts')
const vite = (...args) =>
  run('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', ...args, join(root, 'web'))
vite()
vite('--ssr', 'prerender.tsx', '--outDir', join(root, 'dist/prerender'))
run('dev/prerender.ts')
run('dev/legal.ts')

rmSync(target, { recursive: true, force: true })
cpSync(join(root, 'dist/web'), target, { recursive: true })
// The fonts of receipts as PDF.
for (const name of ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf']) {
  cpSync(join(root, 'node_modules/dejavu-fonts-ttf/ttf', name), join(target, 'fonts', name))
}
cpSync(join(root, 'dist/site/html'), join(target, 'docs'), { recursive: true })
