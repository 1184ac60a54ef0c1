import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { ROOT } from '../system/root.ts'

/** Everything that a section cannot inherit, so that no environment uses the resources of another. */
const Section = z.looseObject({
  vars: z.record(z.string(), z.string()),
  r2_buckets: z.array(z.looseObject({ binding: z.string(), bucket_name: z.string() })).min(1),
  queues: z.looseObject({ producers: z.array(z.looseObject({})), consumers: z.array(z.looseObject({})) }),
  durable_objects: z.looseObject({ bindings: z.array(z.looseObject({})) }),
})
const Config = z.looseObject({ env: z.record(z.string(), Section).default({}) })

/**
 * Reads the section of an environment from wrangler.toml.
 * @throws Error if there is no such section
 */
export function readEnvironment(name: string, text = readWranglerToml()) {
  const { env } = Config.parse(parse(text))
  const section = Object.hasOwn(env, name) ? env[name] : undefined
  if (section !== undefined) return section
  const known = Object.keys(env).join(' or ')
  throw new Error(`wrangler.toml has no environment "${name}". Use ${known || 'a section [env.NAME]'}.`)
}

function readWranglerToml(): string {
  return readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')
}
