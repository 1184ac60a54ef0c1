import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PAGE_PATHS } from '../edge/web-app/rules/paths.ts'
import { ROOT } from './system/root.ts'

test('the Worker answers every page of the web application', () => {
  const routes = readFileSync(join(ROOT, 'web/routes.ts'), 'utf8')
  const paths = [...routes.matchAll(/path: '([^']+)'/g)].map(([, path]) => path?.replace(/:\w+/g, '*'))
  expect(paths.length).toBeGreaterThan(0)
  expect([...PAGE_PATHS].sort()).toEqual(paths.sort())
})
