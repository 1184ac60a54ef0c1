/** Combined limits of all images drawn concurrently. */
export interface RoomLimits {
  bytes_max: number
  /** Maximum number of images drawn concurrently. */
  places: number
}

/** The memory claim of an image that is waiting or is being drawn. */
export interface Claim {
  /** Estimated in media-backend/steps/image/memory.ts. */
  bytes: number
  /** Number of later images that were admitted first. */
  times_passed: number
}

/** Share of the memory that large images never use, so small images do not have to wait for them. */
const SMALL_SHARE = 1 / 4
/** An image that has been passed this often is admitted next. */
const PASSED_MAX = 32

/**
 * Chooses the next image to admit: the first that fits. An image passed too often blocks all others, except small
 * images that use only memory and slots it does not need, so neither kind starves.
 * @returns the position in `waiting`, or -1 if none fits.
 */
export function chooseNext(waiting: readonly Claim[], inside: readonly Claim[], limits: RoomLimits): number {
  for (const [index, claim] of waiting.entries()) {
    if (fits(claim, inside, limits)) return index
    if (claim.times_passed < PASSED_MAX) continue
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

/** Checks whether a small image leaves enough room for any large one. */
function fitsBeside(claim: Claim, inside: readonly Claim[], limits: RoomLimits): boolean {
  if (!isSmall(claim, limits) || !fits(claim, inside, limits)) return false
  const small = [...inside.filter((each) => isSmall(each, limits)), claim]
  return small.length < limits.places && sumBytes(small, limits) <= limits.bytes_max * SMALL_SHARE
}

function isSmall({ bytes }: Claim, { bytes_max }: RoomLimits): boolean {
  return bytes <= bytes_max * SMALL_SHARE
}

/** Sums the claims. Each image counts for at most the memory that large images may use. */
function sumBytes(claims: readonly Claim[], { bytes_max }: RoomLimits): number {
  return claims.reduce((sum, { bytes }) => sum + Math.min(bytes, bytes_max * (1 - SMALL_SHARE)), 0)
}
