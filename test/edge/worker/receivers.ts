import { env as platform } from 'cloudflare:workers'

/** A request that arrived at a receiver. */
export interface Received {
  headers: Record<string, string>
  body: string
}

/** How a receiver responds: with a status, by closing the connection, or not at all until its mode changes. */
export type ReceiverMode = { status: number; location?: string; body?: string } | 'hang_up' | 'silent'

/** A customer's server that receives webhooks. */
export interface Receiver {
  url: string
  setMode(mode: ReceiverMode): Promise<void>
  received(): Promise<Received[]>
}

/** Creates a receiver that responds with 204 until `setMode` changes that. */
export function makeReceiver(): Receiver {
  const { INTERNET_URL } = platform as unknown as { INTERNET_URL: string }
  const base = `${INTERNET_URL}/${crypto.randomUUID()}`
  const control = (init?: RequestInit) => fetch(`${base}/control`, init)
  return {
    url: `${base}/hook`,
    async setMode(mode) {
      await (await control({ method: 'PUT', body: JSON.stringify(mode) })).text()
    },
    async received() {
      return ((await (await control()).json()) as { received: Received[] }).received
    },
  }
}
