import { expect, test } from 'vitest'
import type { CutPacket, VideoPackets } from '../../planning/facts.ts'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { chooseKeptCuts } from './kept-cuts.ts'

const PROBE = sampleProbe({ duration_seconds: 60 }, { coding: { profile: 'High', level: 40 }, timescale: 25 })

/** A minute at 25 frames per second without reordered frames, and with a keyframe every two seconds. */
function packetsOf(changed: Partial<CutPacket> = {}): VideoPackets {
  const packets = Array.from({ length: 1500 }, (_, pts) => ({
    ...{ dts: pts, pts, can_start: pts % 50 === 0 },
    ...(pts % 50 === 0 && changed),
  }))
  return { timescale: 25, packets }
}

test('long ranges are copied except for their ends, and short ones are encoded', () => {
  const keep = [
    { start: 0, end: 10.2 },
    { start: 12, end: 13 },
    { start: 15.2, end: 60 },
  ]
  expect(chooseKeptCuts(PROBE, keep, packetsOf())).toMatchObject([
    { at: 0, zero: 0, first: 0, copy: 0, copy_end: { pts: 254 }, tail: null },
    { at: 255, zero: 300, first: 300, copy: 325, copy_end: { pts: 324 }, tail: null },
    { at: 280, zero: 380, first: 380, copy: 400, copy_end: null, tail: null },
  ])
})

test('a later range does not start with a recovery point, because others precede it', () => {
  const keep = [
    { start: 0, end: 10 },
    { start: 12, end: 30 },
  ]
  const open = packetsOf({ is_open: true })
  expect(chooseKeptCuts(PROBE, keep, open)).toMatchObject([
    { copy: 0 },
    { first: 300, copy: 350, is_open: true },
  ])
})

test('everything is encoded if too little can be copied', () => {
  const keep = Array.from({ length: 12 }, (_, at) => ({ start: 5 * at + 0.5, end: 5 * at + 3 }))
  expect(chooseKeptCuts(PROBE, keep, packetsOf())).toBeNull()
})

test('everything is encoded if the video starts late', () => {
  const late = packetsOf()
  const packets = late.packets.filter(({ pts }) => pts > 10)
  expect(chooseKeptCuts(PROBE, [{ start: 0, end: 30 }], { ...late, packets })).toBeNull()
})

test('a range that starts where frames are missing keeps its other frames in sync', () => {
  const { timescale, packets } = packetsOf()
  const gap = packets.filter(({ pts }) => pts <= 290 || pts > 310)
  const keep = [
    { start: 0, end: 10 },
    { start: 12, end: 13 },
    { start: 15.2, end: 60 },
  ]
  expect(chooseKeptCuts(PROBE, keep, { timescale, packets: gap })?.[1]).toMatchObject({
    zero: 300,
    first: 290,
  })
})

test('a range is copied although the frame at its end is displayed for long', () => {
  const { timescale, packets } = packetsOf()
  const frozen = packets.filter(({ pts }) => pts <= 240 || pts > 300)
  const keep = [
    { start: 0, end: 10 },
    { start: 15, end: 60 },
  ]
  expect(chooseKeptCuts(PROBE, keep, { timescale, packets: frozen })?.[0]).toMatchObject({
    ...{ copy: 0, copy_end: { pts: 240 }, tail: null },
  })
})

test('everything is encoded if a keyframe is more than 15,000 frames back', () => {
  const duration_seconds = 6000
  const packets = Array.from({ length: 25 * duration_seconds }, (_, pts) => ({
    ...{ dts: pts, pts, can_start: pts === 0 },
  }))
  const probe = sampleProbe({ duration_seconds }, PROBE.video)
  const copyFrom = (start: number) =>
    chooseKeptCuts(
      probe,
      [
        { start: 0, end: 600 },
        { start, end: start + 10 },
      ],
      { timescale: 25, packets },
    )
  expect(copyFrom(500)).toMatchObject([{ copy: 0 }, { first: 12_500, tail: null }])
  expect(copyFrom(5900)).toBeNull()
})
