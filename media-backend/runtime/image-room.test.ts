import { expect, test } from 'vitest'
import { createRoom } from './image-room.ts'

const limits = { bytes_max: 100, places: 4 }
const never = new AbortController().signal

/** Starts named work that runs until the test ends it, and lists the running work. */
function watchRoom() {
  const room = createRoom()
  const inside: string[] = []
  const ends = new Map<string, () => void>()
  const start = (name: string, bytes: number, signal = never) =>
    room.hold(bytes, limits, signal, async () => {
      inside.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      inside.splice(inside.indexOf(name), 1)
      return name
    })
  return { inside, start, end: (name: string) => ends.get(name)?.() }
}

test('lets small images pass a waiting large one and run concurrently with another large one', async () => {
  const { inside, start, end } = watchRoom()
  const large = start('large', 1000)
  const waiting = start('waiting', 1000)
  const small = [start('one', 10), start('two', 15)]
  await Promise.resolve()
  expect(inside).toEqual(['large', 'one', 'two'])
  end('large')
  expect(await large).toBe('large')
  expect(inside).toEqual(['one', 'two', 'waiting'])
  for (const name of ['one', 'two', 'waiting']) end(name)
  expect(await Promise.all([waiting, ...small])).toEqual(['waiting', 'one', 'two'])
})

test('admits a large image although small ones keep arriving', async () => {
  const { inside, start, end } = watchRoom()
  const works = new Map(['a', 'b', 'c'].map((name) => [name, start(name, 25)]))
  start('large', 1000)
  await Promise.resolve()
  for (let count = 0; !inside.includes('large'); count += 1) {
    expect(count).toBeLessThan(100)
    works.set(`later-${count}`, start(`later-${count}`, 25))
    const [oldest = ''] = inside
    end(oldest)
    await works.get(oldest)
  }
  // Small images passed the large one before it was admitted.
  expect(works.size).toBeGreaterThan(10)
})

test('removes aborted work from the queue and admits the next', async () => {
  const { inside, start, end } = watchRoom()
  const controller = new AbortController()
  const first = start('first', 75)
  const aborted = start('aborted', 75, controller.signal)
  await Promise.resolve()
  expect(inside).toEqual(['first'])
  const reason = new Error('cancelled')
  controller.abort(reason)
  await expect(aborted).rejects.toBe(reason)
  const next = start('next', 75)
  end('first')
  await first
  expect(inside).toEqual(['next'])
  end('next')
  await next
  await expect(start('late', 1, controller.signal)).rejects.toBe(reason)
})

test('frees the memory of failed work', async () => {
  const room = createRoom()
  const fault = new Error('fault')
  const whole = limits.bytes_max
  await expect(room.hold(whole, limits, never, () => Promise.reject(fault))).rejects.toBe(fault)
  expect(await room.hold(whole, limits, never, async () => 'in')).toBe('in')
})
