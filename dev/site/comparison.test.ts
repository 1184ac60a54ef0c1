import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CAPTIONS } from './comparison.ts'
import { MEDIA } from './operation-examples.ts'

/** Previews with audio in which nobody speaks. */
const WITHOUT_SPEECH = ['sample-clip-audio.mp4']
/** Type of an AAC track in an MP4 file. */
const AUDIO_TRACK = 'mp4a'

test('every preview in which someone speaks has captions', () => {
  const audible = readdirSync(MEDIA).filter(
    (name) => name.endsWith('.mp4') && readFileSync(join(MEDIA, name)).includes(AUDIO_TRACK),
  )
  expect(audible.toSorted()).toEqual([...Object.keys(CAPTIONS), ...WITHOUT_SPEECH].toSorted())
})
