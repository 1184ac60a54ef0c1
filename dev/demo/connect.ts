import { Client } from '../client.ts'
import { type LocalFile, readLocalFile } from '../local.ts'

/**
 * Connects to the system that `npm start` runs on this machine.
 * @throws if the system does not respond
 */
export async function connect(): Promise<{ client: Client; local: LocalFile }> {
  const local = readLocalFile()
  if (local !== null && (await answers(local.api_url))) return { client: new Client(local.api_url), local }
  throw new Error('The system is not running. Start it with `npm start` in another terminal.')
}

function answers(api_url: string): Promise<boolean> {
  return fetch(`${api_url}/api/ready`).then(
    (response) => response.ok,
    () => false,
  )
}
