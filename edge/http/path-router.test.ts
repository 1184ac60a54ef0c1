import type { Result } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import { expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { PathRouter } from './path-router.ts'

type Handler = object

const { routes } = createApp()
const router = new PathRouter<Handler>()
const reference = new TrieRouter<Handler>()
for (const { method, path, handler } of routes)
  for (const each of [router, reference]) each.add(method, path, handler)

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']
const VALUES = ['7', 'a%20b', 'a:b*', '%2F', 'events']

/** Returns the handlers of a path with their parameters. */
function read([handlers, values]: Result<Handler>) {
  return handlers.map(([handler, params]) => [
    handler,
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'number' ? values?.[value] : value,
      ]),
    ),
  ])
}

/** Paths that match a pattern or nearly do. */
function examplesOf(pattern: string): string[] {
  const paths = VALUES.map((value) => pattern.replace(/:\w+|\*/g, value))
  return [...paths, ...paths.map((path) => `${path}/`), `${pattern}/more`, pattern.replace(/:\w+|\*/g, '')]
}

test('finds the same handlers and parameters as the router of Hono, also when it is asked again', () => {
  const paths = new Set(routes.flatMap(({ path }) => examplesOf(path)))
  expect(paths.size).toBeGreaterThan(500)
  for (const path of [...paths, ...paths])
    for (const method of METHODS)
      expect(read(router.match(method, path)), `${method} ${path}`).toEqual(
        read(reference.match(method, path)),
      )
})
