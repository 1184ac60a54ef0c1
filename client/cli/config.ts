import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Media } from '../node/index.ts'
import { UsageError } from './exit-codes.ts'

/** Settings that `media login` stores. */
export interface Config {
  api_url?: string
  api_key?: string
}

export interface Connection {
  apiUrl?: string
  apiKey?: string
  /** Language of the texts of the service. */
  locale?: string
}

/** Returns the path of the file that stores the key, in the user's configuration folder. */
export function configPath(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env
  const windows = process.platform === 'win32' ? APPDATA : undefined
  return join(XDG_CONFIG_HOME || windows || join(homedir(), '.config'), 'media', 'config.json')
}

export async function readConfig(): Promise<Config> {
  const text = await readFile(configPath(), 'utf8').catch(() => '{}')
  try {
    const { api_url, api_key } = JSON.parse(text)
    return { api_url, api_key }
  } catch {
    throw new UsageError(`${configPath()} is damaged. Run \`media logout\`, then \`media login\`.`)
  }
}

/** Stores the key in a file that only the user can read. */
export async function writeConfig(config: Config): Promise<void> {
  const path = configPath()
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // Remove the file first, because the mode applies only to a new file.
  await rm(path, { force: true })
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
}

export async function removeConfig(): Promise<void> {
  await rm(configPath(), { force: true })
}

/** Opens the client. Options override MEDIA_API_KEY and MEDIA_API_URL, which override the stored values. */
export async function connect({ apiUrl, apiKey, locale }: Connection): Promise<Media> {
  const stored = await readConfig()
  const url = apiUrl ?? (process.env.MEDIA_API_URL || stored.api_url)
  const key = apiKey ?? (process.env.MEDIA_API_KEY || stored.api_key)
  if (!url) throw new UsageError('The API URL is unknown. Run `media login`, or set MEDIA_API_URL.')
  return new Media({ apiUrl: url, ...(key && { apiKey: key }), ...(locale && { language: locale }) })
}
