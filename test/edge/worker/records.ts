import { takeRecords } from '../../../edge/services/statistics/take-records.ts'
import { makeLimitedWorld } from './limited-world.ts'
import { eventually, type World } from './world.ts'

type Settings = Parameters<typeof makeLimitedWorld>[0]

/** A world whose request logs and web events go no further than here, until they are taken. */
export async function makeRecordingWorld(settings: Settings = {}) {
  const sent: Record<string, unknown>[] = []
  const world = await makeLimitedWorld(settings, {
    RECORDS: { send: async (message: Record<string, unknown>) => void sent.push(message) },
  })
  return {
    ...world,
    get deps() {
      return world.deps
    },
    sent,
    /** Lets the queue deliver all that was sent so far, once it is as many messages. */
    async deliver(count = 1): Promise<void> {
      await eventually('messages in the queue', async () => sent.length >= count)
      await takeRecords(world.deps, sent.splice(0))
    },
  }
}

export async function query({ deps }: World, sql: string, ...args: (string | number | null)[]) {
  return (await deps.db.$client.execute({ sql, args })).rows as unknown as Record<string, unknown>[]
}
