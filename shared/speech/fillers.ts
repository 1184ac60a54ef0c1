import { endsClause, endsSentence } from '../captions/breaks.ts'
import type { Word } from '../planning/facts.ts'
import { normalizeWord } from './words.ts'

/** Hesitations, which are removed everywhere. */
const HESITATIONS: Record<string, RegExp> = {
  en: /^(u+h+m*|u+m+|e+r+m+|er|h+m+|m{2,}|u+h+-?u+h+|a+h+m+|e+h+m+)$/,
  uk: /^(е{2,}|е+-е+|е+м+|г+м+|м{2,}|м+-м+|а-а+|ее+м+)$/,
  ru: /^(э+|э+-э+|э+м+|г+м+|х+м+|м{2,}|м+-м+|а-а+)$/,
}

/** Words that are fillers only if pauses or commas separate them. */
const APART: Record<string, readonly string[]> = {
  en: [
    'like',
    'so',
    'well',
    'right',
    'basically',
    'actually',
    'literally',
    'anyway',
    'you know',
    'i mean',
    'kind of',
    'sort of',
    'you see',
  ],
  uk: [
    'ну',
    'типу',
    'тіпа',
    'коротше',
    'значить',
    'ось',
    'от',
    'власне',
    'як би',
    'так би мовити',
    'в принципі',
    'це саме',
  ],
  ru: [
    'ну',
    'типа',
    'короче',
    'значит',
    'вот',
    'собственно',
    'как бы',
    'так сказать',
    'в общем',
    'в принципе',
    'это самое',
    'то есть',
  ],
}

const PHRASE_WORDS_MAX = 3
const APART_SECONDS = 0.15

/** Returns the positions of filler words. Languages other than en, uk and ru use the English hesitations. */
export function findFillers(words: readonly Word[], language: string): Set<number> {
  const hesitation = HESITATIONS[language] ?? /^(u+h+m*|u+m+|e+r+m+|h+m+|m{2,}|e+h+m+)$/
  const plain = words.map(({ text }) => normalizeWord(text))
  const fillers = new Set(plain.flatMap((word, position) => (hesitation.test(word) ? [position] : [])))
  const phrases = new Set(APART[language] ?? [])
  for (let from = 0; from < words.length; from += 1) {
    for (let length = Math.min(PHRASE_WORDS_MAX, words.length - from); length >= 1; length -= 1) {
      const to = from + length
      if (!phrases.has(plain.slice(from, to).join(' ')) || !standsApart(words, from, to, fillers)) continue
      for (let at = from; at < to; at += 1) fillers.add(at)
    }
  }
  return fillers
}

function standsApart(
  words: readonly Word[],
  from: number,
  to: number,
  fillers: ReadonlySet<number>,
): boolean {
  return isEdge(words, from, fillers, from - 1) && isEdge(words, to, fillers, to)
}

/** Checks whether a pause, punctuation, a filler or the end of the text precedes this position. */
function isEdge(words: readonly Word[], at: number, fillers: ReadonlySet<number>, outside: number): boolean {
  const [before, after] = [words[at - 1], words[at]]
  if (before === undefined || after === undefined || fillers.has(outside)) return true
  return after.start - before.end >= APART_SECONDS || endsClause(before) || endsSentence(before)
}
