import { describe, expect, test } from 'vitest'
import type { CutPacket, CutPackets, MediaProbe, VideoTrack } from '../../planning/facts.ts'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { chooseSmartCut, refuseSmartCut } from './smart-cut.ts'

const H264 = { coding: { profile: 'High', level: 40 }, timescale: 25 }

const HEVC10 = { codec: 'hevc', coding: { profile: 'Main 10', level: 120 }, pixel_format: 'yuv420p10le' }

function probeOf(video: Partial<VideoTrack> = {}, changed: Partial<MediaProbe> = {}): MediaProbe {
  return sampleProbe({ duration_seconds: 60, ...changed }, { ...H264, ...video })
}

describe('the probe alone refuses', () => {
  const CUT = { start: 5, seconds: 20 }
  test.each([
    [null, {}, {}, CUT],
    [null, {}, { container: 'matroska,webm' }, CUT],
    [null, { codec: 'hevc', coding: { profile: 'Main', level: 120 } }, {}, CUT],
    [null, HEVC10, {}, CUT],
    ['codec', { ...HEVC10, pixel_format: 'yuv422p10le' }, {}, CUT],
    ['codec', { codec: 'vp9' }, {}, CUT],
    ['codec', { coding: { profile: 'High 4:2:2', level: 40 } }, {}, CUT],
    ['codec', { coding: undefined }, {}, CUT],
    ['codec', { pixel_format: 'yuv420p10le' }, {}, CUT],
    ['codec', { interlaced: true }, {}, CUT],
    ['container', {}, { container: 'mpegts' }, CUT],
    ['container', {}, { container: 'avi' }, CUT],
    ['hidden_frames', {}, { hides_start: true }, CUT],
    ['hidden_frames', {}, { hides_end: true }, CUT],
    ['frame_rate', { frames_per_second: 1 }, {}, CUT],
    ['timestamps', { timescale: undefined }, {}, CUT],
    ['timestamps', { start_seconds: 6 }, {}, CUT],
    ['timestamps', {}, { clock_restarts: true }, CUT],
    ['timestamps', {}, { missing_seconds: 3 }, CUT],
    ['too_little', {}, {}, { start: 5, seconds: 1.5 }],
    ['too_little', { width: 64, height: 64 }, {}, CUT],
    ['too_little', {}, {}, { start: 0, seconds: 30 }],
  ] as const)('%s: %j %j', (reason, video, changed, cut) => {
    expect(refuseSmartCut(probeOf(video as Partial<VideoTrack>, changed), cut)).toBe(reason)
  })
})

/**
 * Lists frames from `from` to `to`, one unit each, with a keyframe every `gop` frames. With `reorders`, the decoding
 * order is that of two B-frames between two anchors. Open groups display two frames before their keyframe.
 */
function framesOf(
  from: number,
  to: number,
  gop: number,
  { reorders = false, is_open = false } = {},
): CutPacket[] {
  const order: number[] = []
  for (let at = from; at <= to; at += 1) order.push(at)
  const isKey = (pts: number) => pts % gop === 0
  const isAnchor = (pts: number) =>
    isKey(pts) || (is_open ? pts % 3 === 0 : (pts % gop) % 3 === 0 || isKey(pts + 1))
  const decoded: number[] = []
  let waiting: number[] = []
  for (const pts of order) {
    if (reorders && !isAnchor(pts)) waiting.push(pts)
    else {
      decoded.push(pts, ...waiting)
      waiting = []
    }
  }
  return [...decoded, ...waiting].map((pts, at) => ({
    dts: from + at - 2,
    pts,
    can_start: isKey(pts) && !is_open,
  }))
}

function packets(
  from: number,
  end: number,
  gop: number,
  options?: Parameters<typeof framesOf>[3],
): CutPackets {
  const keyBefore = (at: number) => Math.floor(at / gop) * gop
  return {
    ...{ timescale: 25, reaches_end: true },
    start: framesOf(keyBefore(from), keyBefore(from) + gop, gop, options),
    end: framesOf(keyBefore(end - 1), end + 30, gop, options),
  }
}

describe('the packets decide', () => {
  test.each([
    // The cut, the group size, and: first, copy, copy_end.pts, tail.
    ['between keyframes', { start: 5.2, seconds: 20 }, 50, {}, [130, 150, 629, null]],
    ['on a keyframe', { start: 6, seconds: 20 }, 50, {}, [150, 150, 649, null]],
    ['within a frame', { start: 5.21, seconds: 20 }, 50, {}, [130, 150, 630, null]],
    ['with B-frames', { start: 5.2, seconds: 20 }, 50, { reorders: true }, [130, 150, 627, [628, 630]]],
  ] as const)('%s', (_, cut, gop, options, [first, copy, last, tail]) => {
    const listed = packets(cut.start * 25, (cut.start + cut.seconds) * 25, gop, options)
    expect(chooseSmartCut(probeOf(), cut, listed)).toMatchObject({
      ...{ zero: first, first, copy, copy_end: { pts: last } },
      length: (tail?.[1] ?? last + 1) - first,
      tail: tail === null ? null : { start: tail[0], end: tail[1] },
    })
  })

  test('a copy starts at a recovery point, but not right after the start', () => {
    const cut = { start: 5.2, seconds: 20 }
    const listed = packets(130, 630, 50)
    const open = (list: CutPacket[]) => list.map((packet) => ({ ...packet, is_open: true as const }))
    expect(chooseSmartCut(probeOf(), cut, { ...listed, start: open(listed.start) })).toMatchObject({
      copy: 150,
      is_open: true,
    })
    const late = { start: 5.8, seconds: 20 }
    const longer = { ...packets(145, 645, 50), start: open(framesOf(100, 200, 50)) }
    expect(chooseSmartCut(probeOf(), late, longer)).toMatchObject({ first: 145, copy: 200, is_open: true })
  })

  test('a cut to the end has no tail', () => {
    const cut = { start: 5.2, seconds: 54.8, to_end: true }
    const listed = { ...packets(130, 1500, 50), end: [] }
    expect(chooseSmartCut(probeOf(), cut, listed)).toMatchObject({ copy: 150, copy_end: null, tail: null })
  })

  test('a cut that starts or ends where frames are missing keeps the other frames in sync', () => {
    const cut = { start: 5.2, seconds: 20 }
    const complete = packets(130, 630, 50)
    const { start, end } = complete
    const without = (list: CutPacket[], from: number, to: number) =>
      list.filter(({ pts }) => pts < from || pts > to)
    const starts_late = { ...complete, start: without(start, 121, 139), end }
    expect(chooseSmartCut(probeOf(), cut, starts_late)).toMatchObject({ zero: 130, first: 120, length: 500 })
    const lacks_one = { ...complete, start: without(start, 130, 130), end }
    expect(chooseSmartCut(probeOf(), cut, lacks_one)).toMatchObject({ zero: 130, first: 129 })
    const ends_early = { ...complete, start, end: without(end, 620, 640) }
    expect(chooseSmartCut(probeOf(), cut, ends_early)).toMatchObject({ copy_end: { pts: 619 }, length: 500 })
    // Nothing follows within the list.
    const freezes = { ...complete, end: without(end, 620, 1000) }
    expect(chooseSmartCut(probeOf(), cut, freezes)).toMatchObject({ copy_end: { pts: 619 }, length: 500 })
  })

  test('a variable rate starts at the requested time and keeps the frame displayed there', () => {
    const cut = { start: 5.22, seconds: 20 }
    const probe = probeOf({ variable_frame_rate: true, timescale: 1000 })
    const fine = (list: CutPacket[]) =>
      list.map(({ dts, pts, can_start }) => ({ dts: dts * 40, pts: pts * 40, can_start }))
    const { start, end } = packets(130, 631, 50)
    const listed = { timescale: 1000, start: fine(start), end: fine(end), reaches_end: true }
    expect(chooseSmartCut(probe, cut, listed)).toMatchObject({
      zero: 5220,
      first: 5200,
      copy: 6000,
      length: 20000,
    })
  })

  test.each([
    ['no_keyframe', { start: 5.2, seconds: 20 }, packets(130, 630, 50, { is_open: true, reorders: true })],
    [
      'no_keyframe',
      { start: 5.2, seconds: 20 },
      { ...packets(130, 630, 50), end: framesOf(600, 620, 50), reaches_end: false },
    ],
    ['too_little', { start: 5.2, seconds: 6 }, packets(130, 280, 250)],
    ['timestamps', { start: 5.2, seconds: 20 }, { ...packets(130, 630, 50), start: framesOf(150, 200, 50) }],
  ] as const)('%s: everything is encoded', (reason, cut, listed) => {
    expect(chooseSmartCut(probeOf(), cut, listed)).toBe(reason)
  })
})
