import { Media } from '../../client/node/index.ts'
import { type LocalFile, readLocalFile } from '../local.ts'

/** Maximum total wait for the limits of an account, such as its requests per minute. */
const WAIT_MS_MAX = 5 * 60 * 1000

/**
 * Connects to the system that `npm start` runs on this machine.
 * @throws if the system does not respond
 */
export async function connect(): Promise<LocalFile> {
  const local = readLocalFile()
  if (local !== null && (await answers(local.api_url))) return local
  throw new Error('The system is not running. Start it with `npm start` in another terminal.')
}

function answers(apiUrl: string): Promise<boolean> {
  return new Media({ apiUrl, maxRetries: 0 }).health.ready().then(
    () => true,
    () => false,
  )
}

/** Opens the client with the access token of an account, or without one. */
export function openMedia(apiUrl: string, apiKey?: string): Media {
  return new Media({ apiUrl, maxWaitMs: WAIT_MS_MAX, ...(apiKey !== undefined && { apiKey }) })
}

/** Signs in to an account. */
export async function signIn(
  apiUrl: string,
  credentials: { email: string; password: string },
): Promise<Media> {
  const { access_token } = await openMedia(apiUrl).auth.login(credentials)
  return openMedia(apiUrl, access_token)
}
