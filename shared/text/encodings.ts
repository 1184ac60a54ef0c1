/** An encoding from before Unicode, and how texts in it look. */
export interface LegacyEncoding {
  /** A label of TextDecoder. */
  label: string
  languages: readonly string[]
  /** Words of these languages contain ASCII letters. */
  is_latin: boolean
  /** Characters that are common in its texts, and the ones that are possible. */
  frequent: RegExp
  expected: RegExp
}

const CYRILLIC = {
  is_latin: false,
  frequent: /[оеаинтсрвлкдмпуяі]/iu,
  expected: /[а-я\u0451ђѓєѕіїјљњћќўџґ]/iu,
}
const GREEK = { is_latin: false, frequent: /[αοιετσςνηυρπκμλάέήίόύώ]/iu, expected: /[α-ωάέήίόύώϊϋ]/iu }
const HEBREW = { is_latin: false, frequent: /[יוהלאתמרשנבדםחק]/u, expected: /[א-ת]/u }
const ARABIC = {
  is_latin: false,
  frequent: /[اليمنوتربعهدسكفقحأةیک]/u,
  expected: /[ء-ي\u064b-\u0652پچژگکیىہے]/u,
}
const THAI = {
  is_latin: false,
  frequent:
    /[\u0e19\u0e23\u0e01\u0e2d\u0e40\u0e07\u0e21\u0e22\u0e25\u0e27\u0e14\u0e17\u0e2a\u0e15\u0e32\u0e31\u0e48\u0e49\u0e35\u0e34\u0e1a\u0e04\u0e02\u0e38]/u,
  expected: /[\u0e01-\u0e4c]/u,
}
const KANA = { is_latin: false, frequent: /[\u3041-\u3096\u30a1-\u30fc]/u, expected: /[\u4e00-\u9fff]/u }
const HANGUL = {
  is_latin: false,
  frequent: /[이다는에가고지하을요어나니의도안네세습사감합한아있그해은를서게]/u,
  expected: /[가-힣]/u,
}
const HAN = {
  is_latin: false,
  frequent:
    /[的一是不了我你他她在有人这這那個个們们來来到說说好吗嗎什甚么麼就和要也会會没沒对對吧啊谢謝知道在上大为為]/u,
  expected: /[\u4e00-\u9fff]/u,
}

const latin = (frequent: string) => ({
  ...{ is_latin: true, frequent: new RegExp(`[${frequent}]`, 'iu') },
  expected: /[\u00c0-\u017fșț]/iu,
})
const WESTERN = latin('éèàùâêîôûçëïöüäßñáíóúãõåæø')
const CENTRAL = latin('áčďéěíňóřšťúůžąćęłńśźżőűöüäăâîşţșț')
const TURKISH = latin('çğıöşüâî')
const BALTIC = latin('āčēģīķļņšūžąęėįųõäöü')
const VIETNAMESE = latin('àáâãèéêìíòóôõùúăđơư')

type Looks = Pick<LegacyEncoding, 'is_latin' | 'frequent' | 'expected'>

/** By the languages of their texts, ISO 639-1. Of equals, the first is taken. */
const GROUPS: readonly (readonly [languages: string, looks: Looks, labels: readonly string[]])[] = [
  ['uk ru be bg mk sr kk tg mn', CYRILLIC, ['windows-1251', 'koi8-r']],
  ['el', GREEK, ['windows-1253']],
  ['he yi', HEBREW, ['windows-1255']],
  ['ar fa ur ps', ARABIC, ['windows-1256']],
  ['th', THAI, ['windows-874']],
  ['ja', KANA, ['shift_jis', 'euc-jp', 'iso-2022-jp']],
  ['ko', HANGUL, ['euc-kr']],
  ['zh yue', HAN, ['gb18030', 'big5']],
  ['', WESTERN, ['windows-1252']],
  ['pl cs sk hu sl hr bs ro sq', CENTRAL, ['windows-1250', 'iso-8859-2']],
  ['tr az', TURKISH, ['windows-1254']],
  ['et lv lt', BALTIC, ['windows-1257']],
  ['vi', VIETNAMESE, ['windows-1258']],
]

export const ENCODINGS: readonly LegacyEncoding[] = GROUPS.flatMap(([languages, looks, labels]) =>
  labels.map((label) => ({ label, languages: languages === '' ? [] : languages.split(' '), ...looks })),
)

/** Returns the encodings of texts in a language. Languages that are not listed have the western one. */
export function encodingsOf(language: string): readonly LegacyEncoding[] {
  const own = ENCODINGS.filter(({ languages }) => languages.includes(language))
  return own.length > 0 ? own : ENCODINGS.filter(({ languages }) => languages.length === 0)
}
