import { openForm } from '../../../edge/feedback/form.ts'
import { type CallOptions, publicUrl } from './context.ts'
import { makeLimitedContext } from './limited-context.ts'
import type { Person } from './people.ts'

export const FEEDBACK_PATH = '/api/v1/public/feedback'
/** What a browser says of itself on a page of this site. */
export const BROWSER = { origin: new URL(publicUrl()).origin, 'sec-fetch-site': 'same-origin' }

let networks = 0
/** An address in a network that no other test writes from. */
export function freshNetwork(): string {
  networks += 1
  return `2001:db8:feed:${networks.toString(16)}`
}

let worlds = 0
/** A test context of its own hours, in which nobody has written anything yet. */
export async function makeFormWorld(settings = {}, overrides: Record<string, unknown> = {}) {
  worlds += 1
  const day = 1 + 10 * worlds
  const now = Date.UTC(2050, 0, day, 8)
  const testContext = await makeLimitedContext(
    settings,
    { FEEDBACK_EMAIL: 'people@example.com', ...overrides },
    now,
  )
  const { call, clock } = testContext
  const letters: { to: string; subject: string; text: string; html: string }[] = []
  if (testContext.deps.mailer !== null) {
    testContext.deps.mailer.send = async (_id, to, letter) => void letters.push({ to, ...letter })
  }
  /** Sends a message that every guard lets pass, but for what is said otherwise. */
  async function send({ from, ip, body, headers }: Sending = {}) {
    const loaded = { env: testContext.deps.env, clock: { now: () => clock.now - 3000 } }
    const options: CallOptions = {
      ...(from === undefined ? {} : { token: from.token }),
      body: {
        message: `It works very well. ${crypto.randomUUID()}`,
        form_token: openForm(loaded).form_token,
        ...body,
      },
      headers: { ...BROWSER, 'cf-connecting-ip': ip ?? `${freshNetwork()}::1`, ...headers },
    }
    return call('POST', FEEDBACK_PATH, options)
  }
  return {
    ...testContext,
    get deps() {
      return testContext.deps
    },
    letters,
    send,
    /** The beginning of its second day. */
    next_day: Date.UTC(2050, 0, day + 1),
  }
}

interface Sending {
  from?: Person
  ip?: string
  body?: object
  headers?: Record<string, string>
}
