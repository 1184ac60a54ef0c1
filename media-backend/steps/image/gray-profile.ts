import type { Metadata, Sharp } from 'sharp'
import type { ImageStep } from '../../../shared/planning/steps.ts'
import { fileIn } from '../../runtime/folder.ts'
import type { Run } from '../../runtime/run.ts'
import { limitsOf, openImage } from '../../runtime/sharp.ts'
import { fillsBackground } from './actions.ts'
import { choosePassage, passOn } from './passes.ts'

const CONVERTED = 'gray.tif'

/**
 * Checks whether sharp ignores the profile of a gray image. It always does so for 16 bits, and for 8 bits if the
 * pipeline sets a color space.
 */
export function isGrayProfileIgnored({ actions }: ImageStep, { space, hasProfile }: Metadata): boolean {
  return hasProfile && (space === 'grey16' || (space === 'b-w' && actions.some(fillsBackground)))
}

/** Converts a gray image from its profile to the grays of sRGB and makes it upright, in a separate pipeline. */
export function convertGray(step: ImageStep, header: Metadata, run: Run): Promise<() => Sharp> {
  const { input, decoded_from, actions } = step
  const opened = openImage(fileIn(run.folder, input), limitsOf(run))
  const upright = decoded_from === undefined ? opened.autoOrient() : opened
  const space = header.depth === 'ushort' ? 'grey16' : 'srgb'
  const manner = { passage: choosePassage(header, actions), space, file: CONVERTED } as const
  return passOn(upright.withIccProfile('srgb', { attach: false }), manner, run)
}
