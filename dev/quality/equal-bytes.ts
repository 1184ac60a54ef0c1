/** A result at one level. */
interface LevelResult {
  bytes: number
  vmaf_mean?: number
}

/** Returns the bytes that a clip would take at another VMAF, given its results at all levels. */
export function bytesAtVmaf(
  { light, medium, strong }: Readonly<Record<'light' | 'medium' | 'strong', LevelResult>>,
  vmaf: number,
): number {
  const [one, other] = vmaf > (medium.vmaf_mean ?? 0) ? [light, medium] : [medium, strong]
  return interpolateBytes(one, other, vmaf)
}

/** Follows the line through two results, along which VMAF grows with the logarithm of the bytes. */
function interpolateBytes(one: LevelResult, other: LevelResult, vmaf: number): number {
  const [first, second] = [one.vmaf_mean ?? 0, other.vmaf_mean ?? 0]
  const share = first === second ? 0 : (vmaf - first) / (second - first)
  return Math.exp(Math.log(one.bytes) + share * Math.log(other.bytes / one.bytes))
}
