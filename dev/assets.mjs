// Generates the client, and builds the Worker's static files in dist/assets: the pages in edge/web and the
// documentation site. dev/setup.mjs runs this script before `npm start` and `npm test`, and wrangler before it
// deploys. The script is plain JavaScript, so any version of Node can run it.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = join(root, 'dist/assets')
const pages = join(root, 'edge/web')

// The documentation site imports the generated client.
for (const script of ['dev/generate-client.ts', 'dev/site.ts']) {
  const node = join(root, 'node_modules/.bin/node')
  const { status } = spawnSync(node, [join(root, script)], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

rmSync(target, { recursive: true, force: true })
const isServed = (path) => !path.endsWith('tsconfig.json')
if (existsSync(pages)) cpSync(pages, target, { recursive: true, filter: isServed })
cpSync(join(root, 'dist/site/html'), join(target, 'docs'), { recursive: true })
