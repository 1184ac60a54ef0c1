/** Formats seconds for readers: 2530 → "42 min 10 s", 7200 → "2 h". */
export function lengthText(seconds: number): string {
  const whole = Math.round(seconds)
  const amounts = { h: Math.floor(whole / 3600), min: Math.floor(whole / 60) % 60, s: whole % 60 }
  const parts = Object.entries(amounts).filter(([, amount]) => amount > 0)
  return parts.length === 0 ? '0 s' : parts.map(([unit, amount]) => `${amount} ${unit}`).join(' ')
}
