import { expect, test } from 'vitest'
import { sampleProbe } from '../planning/sample-facts.ts'
import { captionScript } from './caption-script.ts'
import { drawScript } from './draw-script.ts'
import { readSubtitles } from './read.ts'

const FRAME = { width: 1920, height: 1080 }
const LOOK = { style: 'clean', position: 'bottom', uppercase: false } as const

/** Returns subtitles with an emoji in each of the last ones. */
function subtitlesOf(cues: number, emoji: number, timing: (index: number) => string): string {
  return Array.from(
    { length: cues },
    (_, index) => `${timing(index)}\n${index < cues - emoji ? 'a' : '😀'}`,
  ).join('\n\n')
}

function draw(subtitles: string) {
  const script = captionScript(readSubtitles(subtitles) ?? [], LOOK, FRAME)
  return drawScript(script, {
    ...{ video: sampleProbe().video, frame: FRAME, is_still: false, has_shadow: false },
  })
}

const together = () => '0:00,0 --> 9:00,0'
const minute = (index: number) => `${Math.floor(index / 60)}:${String(index % 60).padStart(2, '0')}`
const inTurn = (index: number) => `${minute(index)},0 --> ${minute(index)},9`

test.each([
  ['1570 subtitles that are shown together', subtitlesOf(1570, 989, together), 989],
  ['4000 subtitles that are shown together', subtitlesOf(4000, 990, together), 990],
  ['one subtitle of 1000 emoji', `0:00,0 --> 9:00,0\n${`${'😀'.repeat(250)}\n`.repeat(4)}`, 1000],
])('draws the emoji of %s as text, because each one would repeat all of the text', (_, subtitles, emoji) => {
  const { text, images } = draw(subtitles)
  expect(images).toEqual([])
  expect(text.content.split('😀')).toHaveLength(emoji + 1)
})

test('draws 1000 emoji in color if they are shown in turn, with a line for each', () => {
  const { text, images } = draw(subtitlesOf(3000, 1000, inTurn))
  expect(text.content).not.toContain('😀')
  expect(images).toHaveLength(1)
  expect(images[0]?.script.match(/^Dialogue: /gm)).toHaveLength(1000)
})
