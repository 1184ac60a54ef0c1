// Copies the Worker's static files to dist/assets: the pages in edge/web, and Swagger UI for /docs. Wrangler runs
// this script before it starts or deploys. It is plain JavaScript, so any version of Node can run it.
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = join(root, 'dist/assets')
const pages = join(root, 'edge/web')
const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

rmSync(target, { recursive: true, force: true })
mkdirSync(join(target, 'docs-reader'), { recursive: true })
const isServed = (path) => !path.endsWith('tsconfig.json')
if (existsSync(pages)) cpSync(pages, target, { recursive: true, filter: isServed })
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
  copyFileSync(join(swaggerUi, file), join(target, 'docs-reader', file))
}
