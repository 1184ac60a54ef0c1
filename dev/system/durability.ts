import { z } from 'zod'

const Config = z.looseObject({ durability_mode: z.string(), max_db_size: z.unknown() })

/**
 * Sets when sqld responds to a commit: `strong` once it is on disk, `relaxed` before. It applies to new connections. A
 * sqld without namespaces starts with `relaxed` every time.
 */
export async function setDurability(admin_url: string, mode: 'strong' | 'relaxed'): Promise<void> {
  const url = `${admin_url}/v1/namespaces/default/config`
  // The size is rounded, so it is not sent back.
  const { max_db_size: _, ...config } = Config.parse(await (await fetch(url)).json())
  if (config.durability_mode === mode) return
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...config, durability_mode: mode }),
  })
  if (!response.ok) throw new Error(`sqld refused the durability ${mode}: ${await response.text()}`)
}
