import { describe, expect, test } from 'vitest'
import { type MovingAccount, makeMovingAccount } from '../../../test/edge/worker/moving-account.ts'
import { makeSpreadContext } from '../../../test/edge/worker/spread-context.ts'
import { cutAt, type Databases, watchRequests } from '../../../test/edge/worker/watch-requests.ts'
import { randomFrom } from '../../credits/rules/testing/ledger-model.ts'
import { cancelMove } from './cancel-move.ts'
import { moveAccount } from './move-account.ts'

const context = makeSpreadContext()
const { databases } = context.home

/** How accounts of each size move: in one commit, and in many. */
const SIZES = { small: { keep_ms: 0 }, large: { keep_ms: 0, rows_in_one_commit: 20 } }
type Size = keyof typeof SIZES
const SIZE_NAMES = Object.keys(SIZES) as Size[]

const move = (
  account: MovingAccount,
  size: Size,
  through: Databases = databases,
  onStep: (step: string) => void = () => undefined,
) => moveAccount(through, account.id, 1 - account.place, { ...SIZES[size], onStep })

/** The numbers of the first and the last request of a command that differ for this size. */
interface Requests {
  first: number
  last: number
}

/** Moves an account, and counts the requests of the command. */
async function countRequests(account: MovingAccount, size: Size): Promise<Requests> {
  const rows = await account.use()
  const requests = { first: 1, last: 0 }
  let sent = 0
  const counted = watchRequests(databases, (number, send) => {
    sent = number
    return send()
  })
  await move(account, size, counted, (step) => {
    if (size === 'large' && step === 'arrive') requests.first = sent
    if (size === 'large' && step === 'leave') requests.last = sent
  })
  if (size === 'small') requests.last = sent
  await account.expectMoved(1 - account.place, rows)
  return requests
}

/** Lets a command die at a request, uses the account, and starts the command again. */
async function cutMove(account: MovingAccount, size: Size, cut: number, is_lost: boolean): Promise<void> {
  await move(account, size, watchRequests(databases, cutAt(cut, is_lost))).catch(() => undefined)
  const rows = await account.use()
  await move(account, size)
  await account.expectMoved(1 - account.place, rows)
}

/**
 * Starts a second command after some requests of the first, which waits until the second has sent some, or has ended. Then
 * both continue.
 */
async function moveTwice(account: MovingAccount, size: Size, first: number, second: number): Promise<void> {
  const paused = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const commands = [
    move(
      account,
      size,
      watchRequests(databases, async (number, send) => {
        if (number === first + 1) paused.resolve()
        if (number > first) await resumed.promise
        return send()
      }),
    ).finally(paused.resolve),
    paused.promise.then(() =>
      move(
        account,
        size,
        watchRequests(databases, async (number, send) => {
          if (number > second) resumed.resolve()
          return send()
        }),
      ).finally(resumed.resolve),
    ),
  ]
  await Promise.allSettled(commands)
  const rows = await account.use()
  await move(account, size)
  await account.expectMoved(1 - account.place, rows)
}

/** Cancels a move, which lets the account go on where it was, or completes it. */
async function cancelOrComplete(account: MovingAccount, size: Size): Promise<void> {
  const is_moving = await cancelMove(databases, account.id).then(
    () => false,
    () => true,
  )
  const rows = await account.use()
  if (is_moving) await move(account, size)
  // A command can have completed the move before it was canceled.
  const has_moved = is_moving || (await findPlace(account)) !== account.place
  await account.expectMoved(has_moved ? 1 - account.place : account.place, rows)
}

/** Returns the number of the database that has the account while it does not move. */
async function findPlace({ id }: MovingAccount): Promise<number> {
  const results = await Promise.all(
    databases.map((db) => db.$client.execute({ sql: 'SELECT 1 FROM accounts WHERE id = ?', args: [id] })),
  )
  return results.findIndex(({ rows }) => rows.length > 0)
}

/** Lets a command die at a request, and cancels its move by a command that dies as well, and by another one. */
async function cancelMoveTwice(
  account: MovingAccount,
  size: Size,
  cut: number,
  second: number,
): Promise<void> {
  const is_lost = (cut + second) % 2 === 0
  await move(account, size, watchRequests(databases, cutAt(cut, is_lost))).catch(() => undefined)
  await cancelMove(watchRequests(databases, cutAt(second, !is_lost)), account.id).catch(() => undefined)
  await account.use()
  await cancelOrComplete(account, size)
}

/** Cancels a move between two requests of its command, which then continues. */
async function cancelBesideMove(account: MovingAccount, size: Size, request: number): Promise<void> {
  let is_active = false
  const canceling = watchRequests(databases, async (number, send) => {
    if (number === request)
      await cancelMove(databases, account.id).catch(() => {
        is_active = true
      })
    return send()
  })
  const is_moved = await move(account, size, canceling).then(
    () => true,
    () => false,
  )
  // Canceling disturbs nothing that is active.
  if (is_active) expect(is_moved).toBe(true)
  await cancelOrComplete(account, size)
}

function startRandom(): { seed: number; random: () => number } {
  const seed = Math.floor(Math.random() * 1e9)
  return { seed, random: randomFrom(seed) }
}

const SAMPLES = 12

/** Some requests at equal distances, so that many runs try all. */
function sample(random: () => number, { first, last }: Requests): number[] {
  const distance = Math.max(1, Math.floor((last - first + 1) / SAMPLES))
  const begin = first + Math.floor(random() * distance)
  return Array.from({ length: SAMPLES }, (_, index) => begin + index * distance)
}

/** A random request. */
const pick = (random: () => number, { first, last }: Requests) =>
  first + Math.floor(random() * (last - first + 1))

test.each(SIZE_NAMES)('a command that dies at any request loses nothing of a %s account', async (size) => {
  const { random, seed } = startRandom()
  const account = await makeMovingAccount(context)
  const requests = await countRequests(account, size)
  for (const is_lost of [false, true]) {
    const cut = pick(random, requests)
    await cutMove(account, size, cut, is_lost).catch(named(`seed ${seed}, request ${cut}`))
  }
  const [first, second] = [pick(random, requests), pick(random, requests)]
  await moveTwice(account, size, first, second).catch(named(`seed ${seed}, requests ${first} and ${second}`))
  await cancelBesideMove(account, size, first).catch(named(`seed ${seed}, canceled at ${first}`))
})

/** Adds to an error at which request it happened. */
function named(place: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`${place}: ${String(error)}`, { cause: error })
  }
}

/** About as many as a command sends that cancels a move. */
const CANCELING: Requests = { first: 1, last: 15 }

describe.each(SIZE_NAMES)('a %s account', { tags: ['extended'], timeout: 600_000 }, (size) => {
  test('moves after a command that died at each of its requests', async () => {
    const account = await makeMovingAccount(context)
    const { first, last } = await countRequests(account, size)
    for (let cut = first; cut <= last; cut++) {
      // Each case moves it to the other database, so the variants of a request are tried in both directions in turn.
      const variants = cut % 2 === 0 ? [false, true] : [true, false]
      for (const is_lost of variants) {
        await cutMove(account, size, cut, is_lost).catch(named(`request ${cut}, ${is_lost ? 'lost' : 'cut'}`))
      }
    }
    expect(last - first).toBeGreaterThan(15)
  })

  test('is moved once by two commands at any distance', async () => {
    const account = await makeMovingAccount(context)
    const requests = await countRequests(account, size)
    const { random, seed } = startRandom()
    for (const first of sample(random, requests)) {
      const second = pick(random, { ...requests, first: 1 })
      await moveTwice(account, size, first, second).catch(
        named(`seed ${seed}, requests ${first} and ${second}`),
      )
    }
  })

  test('goes on or arrives when its move is canceled at any request', async () => {
    const account = await makeMovingAccount(context)
    const requests = await countRequests(account, size)
    const { random, seed } = startRandom()
    for (const cut of sample(random, requests)) {
      const second = pick(random, CANCELING)
      await cancelMoveTwice(account, size, cut, second).catch(
        named(`seed ${seed}, requests ${cut} and ${second}`),
      )
      await cancelBesideMove(account, size, cut).catch(named(`seed ${seed}, canceled before request ${cut}`))
    }
  })
})
