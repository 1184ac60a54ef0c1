import { afterEach, expect, test } from 'vitest'
import { LOCALES, locale } from './locale.ts'
import { describeFiles, describeOneFile, describeTypes } from './media-types.ts'

afterEach(() => {
  locale.value = 'en'
})

test.each([
  [['image/*'], ['images', 'зображення', 'изображения']],
  [
    ['video/*', 'image/*'],
    ['videos or images', 'відео або зображення', 'видео или изображения'],
  ],
  [
    ['video/mp4', 'video/quicktime'],
    ['MP4 or MOV', 'MP4 або MOV', 'MP4 или MOV'],
  ],
])('files of %j are named in the plural', (types, sentences) => {
  expect(inEveryLanguage(() => describeFiles(types))).toEqual(sentences)
})

test.each([
  [['image/*'], ['One image', 'Одне зображення', 'Одно изображение']],
  [['audio/*'], ['One file: audio', 'Один файл: аудіо', 'Один файл: аудио']],
  [['video/mp4'], ['One file: MP4', 'Один файл: MP4', 'Один файл: MP4']],
  [['*/*'], ['One file: any file', 'Один файл: будь-який файл', 'Один файл: любой файл']],
])('one file of %j is named in the singular', (types, sentences) => {
  expect(inEveryLanguage(() => describeOneFile(types))).toEqual(sentences)
})

test('a kind is named as a label', () => {
  expect(inEveryLanguage(() => describeTypes(['image/*']))).toEqual(['image', 'зображення', 'изображение'])
})

function inEveryLanguage(describe: () => string): string[] {
  return LOCALES.map((each) => {
    locale.value = each
    return describe()
  })
}
