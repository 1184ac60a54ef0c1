import { drizzle } from 'drizzle-orm/libsql/web'
import { type Database, DatabaseUnavailable } from '../../../edge/platform/database/client.ts'

export type Databases = readonly [home: Database, ...others: Database[]]

/** Sends a request of a command or fails. The first request has the number 1. */
type Pass = (number: number, send: () => Promise<unknown>) => Promise<unknown>

/** Returns the databases of one command. Each of its requests goes through `pass`. */
export function watchRequests([home, ...others]: Databases, pass: Pass): Databases {
  let sent = 0
  const watch = (db: Database): Database => {
    const client = new Proxy(db.$client, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (name !== 'execute' && name !== 'batch') return value
        return (...args: unknown[]) => {
          sent += 1
          return pass(sent, () => Reflect.apply(value, target, args))
        }
      },
    })
    return Object.assign(drizzle(client), { $number: db.$number })
  }
  return [watch(home), ...others.map(watch)]
}

/**
 * Lets a command die at a request: that one and all later ones fail.
 * @param is_lost the request is carried out, but its answer is lost
 */
export function cutAt(cut: number, is_lost: boolean): Pass {
  return async (number, send) => {
    if (number < cut) return send()
    if (number === cut && is_lost) await send()
    throw new DatabaseUnavailable('no response')
  }
}
