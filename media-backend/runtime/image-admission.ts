/** What all images that are drawn at once may take together. */
export interface RoomLimits {
  bytes_max: number
  /** How many images are drawn at once. */
  places: number
}

/** An image that waits to be drawn, or is drawn. */
export interface Claim {
  /** An estimate (image-memory.ts). */
  bytes: number
  /** How many that came later entered before it. */
  times_overtaken: number
}

/** Large images never take this share of the memory, so that small ones need not wait for them. */
const SMALL_SHARE = 1 / 4
/** An image that was overtaken so often is the next one to enter. */
const OVERTAKEN_MAX = 32

/**
 * Chooses who enters next: the first that fits. One that was overtaken too often lets nobody pass, but for small
 * images in the memory and the places that it does not need itself, so that neither kind starves the other.
 * @returns the position in `waiting`; -1 where nobody fits.
 */
export function chooseNext(waiting: readonly Claim[], inside: readonly Claim[], limits: RoomLimits): number {
  for (const [index, claim] of waiting.entries()) {
    if (fits(claim, inside, limits)) return index
    if (claim.times_overtaken < OVERTAKEN_MAX) continue
    if (isSmall(claim, limits)) return -1
    const next = waiting.findIndex((other, at) => at > index && fitsBeside(other, inside, limits))
    return next
  }
  return -1
}

function fits(claim: Claim, inside: readonly Claim[], limits: RoomLimits): boolean {
  if (inside.length >= limits.places) return false
  const large = inside.filter((each) => !isSmall(each, limits))
  if (!isSmall(claim, limits) && large.length >= Math.max(1, limits.places - 1)) return false
  return sumBytes([...inside, claim], limits) <= limits.bytes_max
}

/** Whether a small image leaves room enough for any large one. */
function fitsBeside(claim: Claim, inside: readonly Claim[], limits: RoomLimits): boolean {
  if (!isSmall(claim, limits) || !fits(claim, inside, limits)) return false
  const small = [...inside.filter((each) => isSmall(each, limits)), claim]
  return small.length < limits.places && sumBytes(small, limits) <= limits.bytes_max * SMALL_SHARE
}

function isSmall({ bytes }: Claim, { bytes_max }: RoomLimits): boolean {
  return bytes <= bytes_max * SMALL_SHARE
}

/** An image that is larger than all the memory counts as the share that large ones may take. */
function sumBytes(claims: readonly Claim[], { bytes_max }: RoomLimits): number {
  return claims.reduce((sum, { bytes }) => sum + Math.min(bytes, bytes_max * (1 - SMALL_SHARE)), 0)
}
