import { z } from 'zod'
import type { DnsFinding } from './rules/dns-finding.ts'

const TIMEOUT_MS = 3000
const NO_ERROR = 0
const NO_SUCH_NAME = 3
const TYPES = { A: 1, MX: 15, AAAA: 28 } as const

/** The JSON format of DNS over HTTPS that Cloudflare and Google use. */
const DnsAnswer = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).default([]),
})

export interface Dns {
  /** Resolves a name. Never throws: a failed query returns "unknown". */
  resolve(name: string, type: keyof typeof TYPES): Promise<DnsFinding>
}

const UNKNOWN: DnsFinding = { outcome: 'unknown', records: [] }

/**
 * Opens a resolver.
 * @param url the URL of the resolver; if it is '', no queries are sent.
 */
export function openDns(url: string): Dns {
  return {
    async resolve(name, type) {
      if (url === '') return UNKNOWN
      try {
        const query = new URLSearchParams({ name, type })
        const response = await fetch(`${url}?${query}`, {
          headers: { accept: 'application/dns-json' },
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        if (!response.ok) {
          await response.body?.cancel()
          return UNKNOWN
        }
        const { Status, Answer } = DnsAnswer.parse(await response.json())
        if (Status === NO_SUCH_NAME) return { outcome: 'no_name', records: [] }
        if (Status !== NO_ERROR) return UNKNOWN
        const records = Answer.filter((answer) => answer.type === TYPES[type]).map(({ data }) => data)
        return { outcome: records.length > 0 ? 'records' : 'no_records', records }
      } catch {
        return UNKNOWN
      }
    },
  }
}
