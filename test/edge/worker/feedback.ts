import { openForm } from '../../../edge/feedback/form.ts'
import { type CallOptions, publicUrl } from './context.ts'
import { makeLimitedContext } from './limited-context.ts'
import type { Person } from './people.ts'

export const FEEDBACK_PATH = '/api/v1/public/feedback'
/** Headers that a browser sends from a page on this site. */
export const BROWSER = { origin: new URL(publicUrl()).origin, 'sec-fetch-site': 'same-origin' }

const [first_network = 0, first_context = 0] = crypto.getRandomValues(new Uint16Array(2))

/** Test files run in several isolates, so each isolate starts at a random number. */
let networks = first_network
/** Returns a network that no other test uses. */
export function freshNetwork(): string {
  networks += 1
  return `2001:db8:feed:${(networks % 0x10000).toString(16)}`
}

let contexts = first_context
/** Creates a test context on days that no other context uses, so no feedback counts toward its limits yet. */
export async function makeFormContext(settings = {}, overrides: Record<string, unknown> = {}) {
  contexts += 1
  const day = 1 + 10 * contexts
  const now = Date.UTC(2050, 0, day, 8)
  const testContext = await makeLimitedContext(
    settings,
    { FEEDBACK_EMAIL: 'people@example.com', ...overrides },
    now,
  )
  const { call, clock } = testContext
  const emails: { to: string; subject: string; text: string; html: string }[] = []
  if (testContext.deps.mailer !== null) {
    testContext.deps.mailer.send = async (_id, to, email) => void emails.push({ to, ...email })
  }
  /** Sends a message that passes every check unless the arguments override something. */
  async function send({ from, ip, body, headers }: Sending = {}) {
    const formDeps = { env: testContext.deps.env, clock: { now: () => clock.now - 3000 } }
    const options: CallOptions = {
      ...(from === undefined ? {} : { token: from.token }),
      body: {
        message: `It works very well. ${crypto.randomUUID()}`,
        form_token: openForm(formDeps).form_token,
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
    emails,
    send,
    /** The start of the context's second day. */
    next_day: Date.UTC(2050, 0, day + 1),
  }
}

interface Sending {
  from?: Person
  ip?: string
  body?: object
  headers?: Record<string, string>
}
