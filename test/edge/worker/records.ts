import { handleRecords } from '../../../edge/statistics/handle-records.ts'
import { eventually, type TestContext } from './context.ts'
import { makeLimitedContext } from './limited-context.ts'

type Settings = Parameters<typeof makeLimitedContext>[0]

export interface RecordingWorld extends TestContext {
  clock: { now: number }
  /** The messages that were sent and not delivered. */
  sent: Record<string, unknown>[]
  /** Lets the queue deliver all that was sent so far, once it is as many messages. */
  deliver(count?: number): Promise<void>
}

/** A test context whose request logs and web events go no further than here, until they are taken. */
export async function makeRecordingContext(settings: Settings = {}): Promise<RecordingWorld> {
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
