import { expect, test } from 'vitest'
import { withFile } from '../testing/describe-image.ts'
import { readTextFile } from './text.ts'

const textOf = async (path: string, language?: string) => (await readTextFile(path, language)).text

/** Movie subtitles as they were encoded before Unicode: language, encoding, text, bytes. */
const TEXTS: [language: string, encoding: string, text: string, bytes: string][] = [
  [
    'uk',
    'windows-1251',
    'Привіт, як справи? Ти вже бачив її сьогодні? Ні, я тільки прийшов з роботи.',
    'z/Do4rPyLCD/6iDx7/Dg4ug/INLoIOLm5SDh4Pfo4iC/vyDx/O7j7uTtsz8gzbMsIP8g8rPr/OroIO/w6On47uIg5yDw7uHu8ugu',
  ],
  [
    'ru',
    'windows-1251',
    'Здравствуй, как дела? Ты уже видел её сегодня? Нет, я только что пришёл с работы.',
    'x+Tw4OLx8uLz6Swg6uDqIOTl6+A/INL7IPPm5SDi6OTl6yDluCDx5ePu5O3/PyDN5fIsIP8g8u7r/OruIPfy7iDv8Oj4uOsg8SDw4OHu8vsu',
  ],
  [
    'ru',
    'koi8-r',
    'Здравствуй, как дела? Ты уже видел её сегодня? Нет, я только что пришёл с работы.',
    '+sTSwdfT1NfVyiwgy8HLIMTFzME/IPTZINXWxSDXycTFzCDFoyDTxcfPxM7RPyDuxdQsINEg1M/M2MvPIN7UzyDQ0snbo8wg0yDSwcLP1Nku',
  ],
  [
    'pl',
    'windows-1250',
    'Cześć, jak się masz? Widziałeś ją już dzisiaj? Nie, dopiero wróciłem z pracy.',
    'Q3plnOYsIGphayBzaeogbWFzej8gV2lkemlhs2WcIGq5IGp1vyBkemlzaWFqPyBOaWUsIGRvcGllcm8gd3LzY2mzZW0geiBwcmFjeS4=',
  ],
  [
    'cs',
    'windows-1250',
    'Ahoj, jak se máš? Už jsi ji dneska viděl? Ne, právě jsem přišel z práce.',
    'QWhvaiwgamFrIHNlIG3hmj8gVZ4ganNpIGppIGRuZXNrYSB2aWTsbD8gTmUsIHBy4XbsIGpzZW0gcPhpmmVsIHogcHLhY2Uu',
  ],
  [
    'el',
    'windows-1253',
    'Γεια σου, τι κάνεις; Την είδες ήδη σήμερα; Όχι, μόλις γύρισα από τη δουλειά.',
    'w+Xp4SDz7/UsIPTpIOrc7eXp8jsg1OftIOXf5OXyIN7k5yDz3uzl8eE7ILz36Swg7Pzr6fIg4/3x6fPhIOHw/CD05yDk7/Xr5encLg==',
  ],
  [
    'he',
    'windows-1255',
    'שלום, מה שלומך? ראית אותה היום? לא, רק עכשיו חזרתי מהעבודה.',
    '+ezl7Swg7uQg+ezl7uo/IPjg6fog4OX65CDk6eXtPyDs4Cwg+Pcg8uv56eUg5+b4+ukg7uTy4eXj5C4=',
  ],
  [
    'ar',
    'windows-1256',
    'مرحبا، كيف حالك؟ هل رأيتها اليوم؟ لا، لقد عدت للتو من العمل.',
    '49HNyMehIN/t3SDNx+HfvyDl4SDRw+3K5ccgx+Ht5uO/IOHHoSDh3s8g2s/KIOHhyuYg4+Qgx+Ha4+Eu',
  ],
  [
    'ja',
    'shift_jis',
    'こんにちは、元気ですか？ 今日はもう彼女に会いましたか？ いいえ、仕事から帰ったばかりです。',
    'grGC8YLJgr+CzYFBjLOLQ4LFgreCqYFIII2hk/qCzYLggqSU3o+XgsmJ74KigtyCtYK9gqmBSCCCooKigqaBQY5kjpaCqYLni0GCwYK9gs6CqYLogsWCt4FC',
  ],
  [
    'ja',
    'euc-jp',
    'こんにちは、元気ですか？ 今日はもう彼女に会いましたか？ いいえ、仕事から帰ったばかりです。',
    'pLOk86TLpMGkz6GiuLW1pKTHpLmkq6GpILqjxvykz6TipKbI4L33pMuy8aSkpN6kt6S/pKuhqSCkpKSkpKihorvFu/akq6TptaKkw6S/pNCkq6TqpMekuaGj',
  ],
  [
    'ko',
    'euc-kr',
    '안녕하세요, 잘 지내세요? 오늘 그녀를 봤어요? 아니요, 방금 퇴근했어요.',
    'vsiz58fPvLy/5CwgwN8gwfazu7y8v+Q/IL/AtMMgsdez4LimILrDvu6/5D8gvsa0z7/kLCC55rHdIMXwsdnH377uv+Qu',
  ],
  [
    'zh',
    'gb18030',
    '你好，你怎么样？ 你今天已经见过她了吗？ 没有，我刚下班回来。',
    'xOO6w6OsxOPU9cO00fmjvyDE473xzOzS0b6tvPu5/cv9wcvC8KO/IMO709CjrM7SuNXPwrDgu9jAtKGj',
  ],
  [
    'zh',
    'big5',
    '你好，你怎麼樣？ 你今天已經見過她了嗎？ 沒有，我剛下班回來。',
    'p0GmbqFBp0Gr57vyvMuhSCCnQaS1pNGkd7hnqKO5TKZvpEa23KFIIKhTprOhQafareikVa9apl6o06FD',
  ],
  [
    'de',
    'windows-1252',
    'Hallo, wie geht es dir? Hast du sie heute schon gesehen? Nein, ich bin gerade erst von der Arbeit zurückgekommen.',
    'SGFsbG8sIHdpZSBnZWh0IGVzIGRpcj8gSGFzdCBkdSBzaWUgaGV1dGUgc2Nob24gZ2VzZWhlbj8gTmVpbiwgaWNoIGJpbiBnZXJhZGUgZXJzdCB2b24gZGVyIEFyYmVpdCB6dXL8Y2tnZWtvbW1lbi4=',
  ],
  [
    'fr',
    'windows-1252',
    'Bonjour, comment ça va ? L’as-tu déjà vue aujourd’hui ? Non, je viens de rentrer du travail.',
    'Qm9uam91ciwgY29tbWVudCDnYSB2YSA/IEySYXMtdHUgZOlq4CB2dWUgYXVqb3VyZJJodWkgPyBOb24sIGplIHZpZW5zIGRlIHJlbnRyZXIgZHUgdHJhdmFpbC4=',
  ],
  [
    'tr',
    'windows-1254',
    'Merhaba, nasılsın? Bugün onu gördün mü? Hayır, işten yeni geldim.',
    'TWVyaGFiYSwgbmFz/Wxz/W4/IEJ1Z/xuIG9udSBn9nJk/G4gbfw/IEhhef1yLCBp/nRlbiB5ZW5pIGdlbGRpbS4=',
  ],
  [
    'hu',
    'windows-1250',
    'Szia, hogy vagy? Láttad már ma őt? Nem, most jöttem haza a munkából.',
    'U3ppYSwgaG9neSB2YWd5PyBM4XR0YWQgbeFyIG1hIPV0PyBOZW0sIG1vc3QgavZ0dGVtIGhhemEgYSBtdW5r4WLzbC4=',
  ],
]

const subtitles = (bytes: string) =>
  Buffer.concat([Buffer.from('1\r\n00:00:00,000 --> 00:00:02,000\r\n'), Buffer.from(bytes, 'base64')])

test.each(TEXTS)('reads %s in %s', async (language, _encoding, text, bytes) => {
  const content = subtitles(bytes)
  for (const known of [language, 'auto'])
    expect(await withFile(content, (path) => textOf(path, known))).toContain(text)
})

test('uses the language to choose an encoding for a text of two words', async () => {
  const content = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xb3, 0xf2])
  expect(await withFile(content, (path) => textOf(path, 'uk'))).toBe('Привіт')
})

test.each([
  ['UTF-8', Buffer.from('Größe, Привіт')],
  ['UTF-16 with a byte order mark', Buffer.from('\ufeffGröße, Привіт', 'utf16le')],
])('reads %s', async (_name, content) => {
  expect(await withFile(content, (path) => textOf(path))).toBe('Größe, Привіт')
})

test('refuses a file that is not text, but not subtitles with single null characters', async () => {
  await expect(withFile(Buffer.from([0, 1, 2, 3]), (path) => readTextFile(path))).rejects.toThrow(
    'not a text',
  )
  const damaged = Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\na\0b')
  expect(await withFile(damaged, (path) => textOf(path))).toContain('a\0b')
})
