import { handleRecords } from '../../../edge/statistics/handle-records.ts'
import { eventually, type TestContext } from './context.ts'
import { makeLimitedContext } from './limited-context.ts'

type Settings = Parameters<typeof makeLimitedContext>[0]

export interface RecordingContext extends TestContext {
  clock: { now: number }
  /** Messages that have been sent but not yet delivered. */
  sent: Record<string, unknown>[]
  /** Waits for at least `count` messages, then delivers all messages sent so far. */
  deliver(count?: number): Promise<void>
}

/** Creates a test context that holds request logs and web events until `deliver` is called. */
export async function makeRecordingContext(settings: Settings = {}): Promise<RecordingContext> {
  const sent: Record<string, unknown>[] = []
  const testContext = await makeLimitedContext(settings, {
    RECORDS: { send: async (message: Record<string, unknown>) => void sent.push(message) },
  })
  return {
    ...testContext,
    get deps() {
      return testContext.deps
    },
    sent,
    async deliver(count = 1) {
      await eventually('messages in the queue', async () => sent.length >= count)
      await handleRecords(testContext.deps, sent.splice(0))
    },
  }
}

export async function query({ deps }: TestContext, sql: string, ...args: (string | number | null)[]) {
  return (await deps.db.$client.execute({ sql, args })).rows as unknown as Record<string, unknown>[]
}
