import type { Word } from '../planning/facts.ts'

/**
 * Words that should stay on the same line as the next one: articles, prepositions, conjunctions, possessives.
 */
const BINDING_WORDS: Record<string, string> = {
  en:
    'a an the my your his her its our their this that these those of to in on at by for from with into onto over ' +
    'under about as than and or but nor so if when while because who which whose mr mrs ms dr st no not very is ' +
    "are was were be been am will would can could shall should may might must do does did have has had i'm i've i",
  de: 'der die das den dem des ein eine einen einem einer eines mein dein sein ihr unser zu in im an am auf bei mit von vom für und oder aber dass weil wenn nicht',
  fr: 'le la les un une des du de à au aux mon ma mes ton ta tes son sa ses notre votre leur ce cet cette ces dans sur sous par pour avec sans et ou mais que qui ne',
  es: 'el la los las un una unos unas de del a al mi tu su sus en con por para sin y o pero que no se',
  it: 'il lo la i gli le un uno una di del della da in con su per tra fra e o ma che non',
  pt: 'o a os as um uma de do da dos das em no na por para com sem e ou mas que não',
  uk: 'і й та а але або в у на з зі із до від для по про за над під при без через не ні що як це той ця мій твій наш ваш його її',
  ru: 'и а но или в во на с со к ко от до для по про за над под при без через не ни что как это мой твой наш ваш его её',
}

const binding = new Map(
  Object.entries(BINDING_WORDS).map(([language, words]) => [language, new Set(words.split(' '))]),
)

const SENTENCE_END = /[.?!…。！？]['"”’»)\]]*$/u
const CLAUSE_END = /[,;:—–、，；：]['"”’»)\]]*$/u
const ABBREVIATION = /^(mr|mrs|ms|dr|st|prof|vs|etc|\p{L})\.$/iu

export function endsSentence({ text }: Pick<Word, 'text'>): boolean {
  return SENTENCE_END.test(text) && !ABBREVIATION.test(text)
}

export function endsClause({ text }: Pick<Word, 'text'>): boolean {
  return CLAUSE_END.test(text)
}

/** Minimum pauses in speech, and how much each lowers the cost of a line break. */
const PAUSES = [
  { seconds: 0.6, bonus: 5 },
  { seconds: 0.3, bonus: 3 },
  { seconds: 0.15, bonus: 1 },
] as const

/**
 * Returns the cost of a break between two words, from 0 (end of a sentence) to 13. Breaks belong after
 * punctuation and pauses, never after an article or a preposition.
 */
export function breakCost(before: Word, after: Word, language: string): number {
  if (endsSentence(before)) return 0
  const bonus = PAUSES.find(({ seconds }) => after.start - before.end >= seconds)?.bonus ?? 0
  if (endsClause(before)) return Math.max(0, 2 - bonus)
  const words = binding.get(language)
  const is_binding = words === undefined ? before.text.length <= 2 : words.has(before.text.toLowerCase())
  // A phrase often begins with such a word, so a break before it is better.
  const begins_phrase = words?.has(after.text.toLowerCase()) === true && !is_binding ? 1.5 : 0
  return Math.max(0, 7 + (is_binding ? 6 : 0) - begins_phrase - bonus)
}
