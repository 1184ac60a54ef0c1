import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { decodeFrame, type Frame } from '../testing/frames.ts'
import { type Matrix, withMatrix } from '../testing/matrix.ts'
import { carryOut, operate } from '../testing/operate.ts'

/** Gray, except for the upper left quarter of the stored frame. */
const videoInput = (color: string, size: string, seconds: number) => [
  ...['-f', 'lavfi', '-i', `color=gray:s=${size}:r=25:d=${seconds}`],
  ...['-vf', `drawbox=w=iw/2:h=ih/2:t=fill:color=${color}`],
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '10', '-pix_fmt', 'yuv420p'],
]

const QUARTER_TURN: Matrix = [0, 1, -1, 0]

function isAt(frame: Frame, x: number, y: number, color: 'red' | 'blue' | 'gray' | 'black'): void {
  const wanted = { red: [255, 0, 0], blue: [0, 0, 255], gray: [128, 128, 128], black: [0, 0, 0] }[color]
  const shown = frame.colorAt(x, y)
  for (const [index, value] of shown.entries())
    expect(Math.abs(value - (wanted[index] ?? 0))).toBeLessThan(30)
}

test.each<[string, Matrix, number, number]>([
  ['a quarter', QUARTER_TURN, 48, 32],
  ['half', [-1, 0, 0, -1], 72, 48],
  ['upside down, a mirror image', [1, 0, 0, -1], 24, 48],
  ['to a mirror image of a quarter turn', [0, 1, 1, 0], 16, 32],
])('a clip rotated by %s comes out upright, and declares it', async (_, matrix, x, y) => {
  const clip = withMatrix(await makeClip('corner.mp4', videoInput('red', '96x64', 1)), matrix)
  const { path, output, input } = await operate(clip, ['compress', { preset: 'ultrafast', crf: 28 }])
  const { width, height } = input.video
  expect(output.video).toMatchObject({ width, height, rotation_degrees: 0 })
  expect(output.video).not.toHaveProperty('mirrored')
  const frame = await decodeFrame(await readFile(path))
  isAt(frame, x, y, 'red')
  isAt(frame, width - x, height - y, 'gray')
})

/**
 * Makes two seconds of a red corner, then two of a blue one in another shape, both rotated by a quarter turn.
 */
async function changing(): Promise<Buffer> {
  const parts = [
    await makeClip('first.mp4', videoInput('red', '96x64', 2)),
    await makeClip('second.mp4', videoInput('blue', '128x192', 2)),
  ] as const
  const joined = await withFile(parts[0], (first) =>
    withFile(parts[1], (second) =>
      withFile(`file '${first}'\nfile '${second}'\n`, (list) =>
        makeClip('joined.mp4', ['-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy']),
      ),
    ),
  )
  return withMatrix(joined, QUARTER_TURN)
}

/** The first shape is 64x96; the second fits into it, 64x43 between bars. */
function requireSecond(frame: Frame): void {
  expect([frame.width, frame.height]).toEqual([64, 96])
  isAt(frame, 48, 36, 'blue')
  isAt(frame, 16, 60, 'gray')
  isAt(frame, 48, 12, 'black')
}

test.each([
  ['trim', { start: 1, duration: 2 }],
  ['gif', { start: 1, duration: 2 }],
] as const)('a rotated clip that changes its shape keeps the first one: %s', async (key, params) => {
  const { path } = await carryOut(await changing(), [key, params])
  const content = await readFile(path)
  const first = await decodeFrame(content, 0.5)
  isAt(first, 48, 24, 'red')
  isAt(first, 16, 72, 'gray')
  requireSecond(await decodeFrame(content, 1.5))
})

test('its thumbnail is upright too', async () => {
  const { path } = await carryOut(await changing(), ['thumbnail', { at: 3, format: 'png' }])
  requireSecond(await decodeFrame(await readFile(path)))
})
