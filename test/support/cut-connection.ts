import { Agent, buildConnector } from 'undici'
import type { Line } from '../system/line.ts'

/**
 * Returns a fetch whose connections to the system go through a proxy that a test can cut. URLs stay the same, so
 * storage signatures stay valid.
 * @param onFailure called for each request that fails
 */
export function fetchThrough(line: Line, onFailure: () => void): typeof fetch {
  const connect = buildConnector({})
  const dispatcher = new Agent({
    connect: (options, callback) => connect({ ...options, port: String(line.port) }, callback),
  })
  return async (input, init) => {
    try {
      // Node's fetch accepts a dispatcher, which its types do not mention.
      return await fetch(input, { ...init, dispatcher } as RequestInit)
    } catch (error) {
      onFailure()
      throw error
    }
  }
}
