import type { Metadata } from 'sharp'
import { expect, test } from 'vitest'
import type { ImageStep, OverlayAction } from '../../shared/operations/steps.ts'
import { createRoom, estimateBytes } from './image-room.ts'

const MAX = 100
const unasked = new AbortController().signal

/** Works that are let in by name, and end when they are told to. */
function watchRoom() {
  const room = createRoom()
  const inside: string[] = []
  const ends = new Map<string, () => void>()
  const come = (name: string, bytes: number, signal = unasked) =>
    room.hold(bytes, MAX, signal, async () => {
      inside.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      inside.splice(inside.indexOf(name), 1)
      return name
    })
  return { inside, come, end: (name: string) => ends.get(name)?.() }
}

test('who finds no room waits, and nobody overtakes', async () => {
  const { inside, come, end } = watchRoom()
  const [one, two, three, four] = [come('one', 60), come('two', 30), come('three', 50), come('four', 5)]
  await Promise.resolve()
  expect(inside).toEqual(['one', 'two'])
  end('one')
  expect(await one).toBe('one')
  expect(inside).toEqual(['two', 'three', 'four'])
  for (const name of ['two', 'three', 'four']) end(name)
  expect(await Promise.all([two, three, four])).toEqual(['two', 'three', 'four'])
})

test('what is larger than all the room is done alone', async () => {
  const { inside, come, end } = watchRoom()
  const [large, small] = [come('large', 1000), come('small', 1)]
  await Promise.resolve()
  expect(inside).toEqual(['large'])
  end('large')
  await large
  expect(inside).toEqual(['small'])
  end('small')
  await small
})

test('who is not wanted any more leaves the queue, and lets those behind in', async () => {
  const { inside, come, end } = watchRoom()
  const controller = new AbortController()
  const first = come('first', 60)
  const unwanted = come('unwanted', 60, controller.signal)
  const next = come('next', 40)
  await Promise.resolve()
  expect(inside).toEqual(['first'])
  const reason = new Error('cancelled')
  controller.abort(reason)
  await expect(unwanted).rejects.toBe(reason)
  expect(inside).toEqual(['first', 'next'])
  end('first')
  end('next')
  await Promise.all([first, next])
  await expect(come('late', 1, controller.signal)).rejects.toBe(reason)
})

test('a work that fails leaves its room', async () => {
  const room = createRoom()
  const fault = new Error('broken')
  await expect(room.hold(MAX, MAX, unasked, () => Promise.reject(fault))).rejects.toBe(fault)
  expect(await room.hold(MAX, MAX, unasked, async () => 'in')).toBe('in')
})

const mark: OverlayAction = {
  ...{ action: 'overlay', content: { kind: 'image', file: 'logo' }, canvas: { width: 4000, height: 3000 } },
  ...{ width: 1000, margin: 0, place: 'c', tiled: false, opacity: 1 },
}

test.each<[string, Partial<ImageStep['output']>, ImageStep['actions'], Partial<Metadata>, number]>([
  ['a photograph', {}, [], {}, 168],
  ['of 16 bits', { format: 'png' }, [], { depth: 'ushort' }, 336],
  ['that gets larger', {}, [{ action: 'resize', width: 6000, height: 8000, fit: 'fill' }], {}, 672],
  ['as AVIF', { format: 'avif' }, [], {}, 396],
  ['as AVIF that spares memory', { format: 'avif', sparing: true }, [], {}, 240],
  ['an animation', { format: 'webp' }, [], { format: 'gif', pages: 5 }, 840],
  ['with a logo', {}, [mark], {}, 198],
  ['of 16 bits with a logo', { format: 'png' }, [mark], { depth: 'ushort' }, 366],
  ['with a logo all over', {}, [{ ...mark, tiled: true }], {}, 228],
  ['with a logo as wide as it, all over', {}, [{ ...mark, width: 4000, tiled: true }], {}, 288],
  ['as a circle', {}, [{ action: 'circle', diameter: 1000, background: null }], {}, 178],
  ['one frame of an animation', {}, [], { format: 'gif', pages: 5 }, 168],
])('%s is taken to need as much memory', (_name, output, actions, header, megabytes) => {
  const wanted = { file: 'out', format: 'jpeg', quality: null, max_bytes: null, ...output } as const
  const step: ImageStep = { kind: 'image', input: 'source', actions, output: wanted }
  const metadata = { format: 'jpeg', width: 4000, height: 3000, depth: 'uchar', ...header } as Metadata
  expect(estimateBytes(step, metadata)).toBe(megabytes * 1_000_000)
})
