import { z } from 'zod'

/**
 * Language codes that whisper supports: ISO 639-1 (or ISO 639-3), each with the ISO 639-2 code that containers use.
 */
const CODES =
  'af afr|am amh|ar ara|as asm|az aze|ba bak|be bel|bg bul|bn ben|bo bod|br bre|bs bos|ca cat|cs ces|cy cym|' +
  'da dan|de deu|el ell|en eng|es spa|et est|eu eus|fa fas|fi fin|fo fao|fr fra|gl glg|gu guj|ha hau|haw haw|' +
  'he heb|hi hin|hr hrv|ht hat|hu hun|hy hye|id ind|is isl|it ita|ja jpn|jw jav|ka kat|kk kaz|km khm|kn kan|' +
  'ko kor|la lat|lb ltz|ln lin|lo lao|lt lit|lv lav|mg mlg|mi mri|mk mkd|ml mal|mn mon|mr mar|ms msa|mt mlt|' +
  'my mya|ne nep|nl nld|nn nno|no nor|oc oci|pa pan|pl pol|ps pus|pt por|ro ron|ru rus|sa san|sd snd|si sin|' +
  'sk slk|sl slv|sn sna|so som|sq sqi|sr srp|su sun|sv swe|sw swa|ta tam|te tel|tg tgk|th tha|tk tuk|tl tgl|' +
  'tr tur|tt tat|uk ukr|ur urd|uz uzb|vi vie|yi yid|yo yor|yue yue|zh zho'

const THREE_LETTERS = new Map(CODES.split('|').map((pair) => pair.split(' ') as [string, string]))

/** Returns the ISO 639-2 code ("uk" → "ukr"), or "und" for unknown languages. */
export function threeLetterCode(language: string): string {
  return THREE_LETTERS.get(language) ?? 'und'
}

export const Language = z
  .enum(['auto', ...THREE_LETTERS.keys()])
  .default('auto')
  .describe('Spoken language, as an ISO 639-1 code such as en, uk or de; auto detects it')

export const Quality = z
  .enum(['fast', 'balanced', 'accurate'])
  .default('balanced')
  .describe('Speech recognition model, among those of the server: fast uses a small one, accurate the best')

export const Task = z
  .enum(['transcribe', 'translate'])
  .default('transcribe')
  .describe('transcribe keeps the spoken language, translate writes English')
