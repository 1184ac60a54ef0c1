import type { Sharp } from 'sharp'
import type { CorpusImage, EncodedSize } from './read-images.ts'

/** A way to encode an image at any quality. */
export interface Setting {
  name: string
  encode(image: Sharp, quality: number): Sharp
}

export interface ComparedSetting {
  name: string
  /** Bytes at equal similarity, relative to the first setting: the geometric mean over all images. */
  bytes_ratio: number
  cpu_ratio: number
}

/** Encodes all images with all settings, at a few qualities each. The first setting is the reference. */
export async function compareSettings(
  images: readonly CorpusImage[],
  settings: readonly Setting[],
  qualities: readonly number[],
): Promise<ComparedSetting[]> {
  const curves = new Map<Setting, EncodedSize[][]>(settings.map((setting) => [setting, []]))
  for (const image of images)
    for (const setting of settings) {
      const curve: EncodedSize[] = []
      for (const quality of qualities)
        curve.push(await image.encode((opened) => setting.encode(opened, quality)))
      curves.get(setting)?.push(curve)
    }
  const [first] = settings
  const reference = (first && curves.get(first)) ?? []
  const cpuOf = (made: readonly EncodedSize[][]) => made.flat().reduce((sum, { cpu_ms }) => sum + cpu_ms, 0)
  return settings.map((setting) => {
    const made = curves.get(setting) ?? []
    const ratios = made.flatMap((curve, index) => ratiosOf(curve, reference[index] ?? []))
    return {
      name: setting.name,
      bytes_ratio: Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length),
      cpu_ratio: cpuOf(made) / cpuOf(reference),
    }
  })
}

/** Returns the bytes of a curve relative to each point of the reference, where both reach its similarity. */
function ratiosOf(curve: readonly EncodedSize[], reference: readonly EncodedSize[]): number[] {
  return reference.flatMap(({ bytes, similarity }) => {
    const at = bytesAt(curve, similarity)
    return at === null ? [] : [at / bytes]
  })
}

function bytesAt(curve: readonly EncodedSize[], similarity: number): number | null {
  const points = [...curve].sort((one, other) => one.similarity - other.similarity)
  for (const [index, next] of points.entries()) {
    if (next.similarity === similarity) return next.bytes
    const last = points[index - 1]
    if (last === undefined || last.similarity > similarity || next.similarity < similarity) continue
    const share = (similarity - last.similarity) / (next.similarity - last.similarity)
    return last.bytes * (next.bytes / last.bytes) ** share
  }
  return null
}
