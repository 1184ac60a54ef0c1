import type { Result, Router } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'

const PATTERN = /[:*]/

/**
 * Finds the handlers of a request. Hono's fast RegExpRouter does not accept /jobs/quote beside /jobs/:job_id/cancel, so it
 * searches only the paths with parameters or wildcards. Each other path is searched once, and its handlers are kept.
 */
export class PathRouter<T> implements Router<T> {
  readonly name = 'PathRouter'
  readonly #all = new TrieRouter<T>()
  readonly #patterns = new SmartRouter<T>({ routers: [new RegExpRouter(), new TrieRouter()] })
  readonly #plain_paths = new Set<string>()
  readonly #found = new Map<string, Result<T>>()

  add(method: string, path: string, handler: T): void {
    this.#all.add(method, path, handler)
    if (PATTERN.test(path)) this.#patterns.add(method, path, handler)
    else this.#plain_paths.add(path)
  }

  match(method: string, path: string): Result<T> {
    if (!this.#plain_paths.has(path)) return this.#patterns.match(method, path)
    const name = `${method} ${path}`
    const found = this.#found.get(name) ?? this.#all.match(method, path)
    this.#found.set(name, found)
    return found
  }
}
