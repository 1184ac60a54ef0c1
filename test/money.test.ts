import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, inject, test } from 'vitest'
import { ResponseError } from '../dev/client.ts'
import { type Account, openAccount } from './support/accounts.ts'
import { expectChargedOnce, fillBalanceTo } from './support/credits.ts'
import { makeTestFolder } from './support/folder.ts'
import { submit, upload } from './support/jobs.ts'

const system = inject('system')
const folder = makeTestFolder()
const image = join(folder, 'red.png')

beforeAll(async () => {
  await sharp({ create: { width: 32, height: 32, channels: 3, background: 'red' } }).toFile(image)
})

async function openWithBalance(balance: number): Promise<Account & { file_url: string }> {
  const account = await openAccount(system.api_url)
  await fillBalanceTo(system.database_url, account.id, balance)
  expect(await account.client.balance()).toBe(balance)
  return { ...account, file_url: await upload(account.client, image) }
}

/**
 * Submits jobs concurrently.
 * @returns the ids of the accepted jobs and the errors of the others
 */
async function submitMany({ client, file_url }: Account & { file_url: string }, count: number) {
  const answers = await Promise.allSettled(
    Array.from({ length: count }, () => submit(client, 'image/resize', file_url, { width: 16 })),
  )
  const accepted = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.id] : []))
  const refused = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as unknown] : [],
  )
  return { accepted, refused }
}

async function expectAllDone({ client }: Account, ids: readonly string[]): Promise<void> {
  const ended = await Promise.all(ids.map((id) => client.waitForJob(id, 60_000)))
  expect(ended.map(({ status }) => status)).toEqual(ids.map(() => 'done'))
  await expectChargedOnce(client, ended)
}

test('of 200 concurrent submissions with credits for 50, 50 run and the others get 402', {
  tags: ['extended'],
}, async () => {
  const account = await openWithBalance(100)
  const { accepted, refused } = await submitMany(account, 200)
  expect([accepted.length, refused.length]).toEqual([50, 150])
  for (const reason of refused) {
    expect(reason).toBeInstanceOf(ResponseError)
    expect(reason).toMatchObject({ status: 402, body: { code: 'insufficient_credits' } })
  }
  expect(await account.client.balance()).toBe(0)
  await expectAllDone(account, accepted)
  expect(await account.client.balance()).toBe(0)
})

test('concurrent submissions of two accounts do not affect each other', async () => {
  const [rich, poor] = await Promise.all([openWithBalance(40), openWithBalance(22)])
  const [many, few] = await Promise.all([submitMany(rich, 30), submitMany(poor, 30)])
  expect([many.accepted.length, few.accepted.length]).toEqual([20, 11])
  await Promise.all([expectAllDone(rich, many.accepted), expectAllDone(poor, few.accepted)])
})

test('a single remaining credit does not pay for a job and stays', async () => {
  const account = await openWithBalance(21)
  const { accepted, refused } = await submitMany(account, 12)
  expect([accepted.length, refused.length]).toEqual([10, 2])
  expect(await account.client.balance()).toBe(1)
  await expectAllDone(account, accepted)
})

test('a job ends as canceled with a full refund or as done, never both', async () => {
  const { client, file_url, ...account } = await openWithBalance(40)
  const { accepted } = await submitMany({ client, file_url, ...account }, 20)
  const canceled = await Promise.allSettled(accepted.map((id) => client.cancel(id)))
  const ended = await Promise.all(accepted.map((id) => client.waitForJob(id, 60_000)))
  for (const [index, answer] of canceled.entries()) {
    const { status } = ended[index] ?? {}
    if (answer.status === 'fulfilled') expect(status).toBe('canceled')
    else expect([status, answer.reason]).toMatchObject(['done', { status: 409 }])
  }
  await expectChargedOnce(client, ended)
  expect(await client.balance()).toBe(40 - 2 * ended.filter(({ status }) => status === 'done').length)
})
