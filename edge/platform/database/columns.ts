import { integer, text } from 'drizzle-orm/sqlite-core'

/** Times are integers: Unix milliseconds. Credits and cents are integers too. */
export const time = (name: string) => integer(name)
export const flag = (name: string) => integer(name, { mode: 'boolean' })
export const json = (name: string) => text(name, { mode: 'json' })
