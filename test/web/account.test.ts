import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { Client } from '../../dev/client.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { useChromium } from '../support/chromium.ts'
import { listEmails } from '../support/emails.ts'
import { openWebPage } from '../support/web-page.ts'

const system = inject('system')
const browser = useChromium()
const PASSWORD = 'a horse that counts to nine'
const NEW_PASSWORD = 'nine geese by the river'
/** Too long for one line on a phone. */
const freshAddress = () => `newcomer${randomBytes(16).toString('hex')}@localhost.test`

/** Waits for an email to an address whose text matches, and returns the match. */
async function findInEmails(address: string, pattern: RegExp): Promise<string> {
  const find = async () => {
    const emails = await listEmails(system.mail_url, address)
    return emails.map(({ text }) => pattern.exec(text)?.[0]).find((found) => found !== undefined)
  }
  await expect.poll(find, { interval: 100 }).toBeDefined()
  return (await find()) ?? ''
}

const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
/** Waits for a page, which loads when it is opened. The one before it stays until then. */
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** Opens a page that has just created an account and shows it. */
async function signUp(email: string): Promise<Page> {
  const page = await openWebPage(browser(), `${system.api_url}/sign-up?next=/account`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/account')
  await page.getByText('20 bonuses', { exact: true }).waitFor()
  return page
}

test('an account is created, confirmed, given a key, left, and opened again with a new password', async () => {
  const email = freshAddress()
  const page = await signUp(email)

  await click(page, 'Send the code')
  await page.getByLabel('Code from the email').fill(await findInEmails(email, /\b\d{6}\b/))
  await click(page, 'Confirm')
  await page.getByText('You received 50 bonuses').waitFor()
  await page.getByText('70 bonuses', { exact: true }).waitFor()
  await page.getByText('Confirm your email address').waitFor({ state: 'detached' })
  await expectAccessible(page, 'account')

  await follow(page, 'API keys')
  await page.getByLabel('Name of the new key').fill('Nightly')
  await click(page, 'Create')
  const plaintext = (await page.getByText(/^mk_[\w-]{20,}$/).textContent()) ?? ''
  await expectAccessible(page, 'account-keys')
  const program = new Client(system.api_url)
  const ping = () => program.send('GET', '/api/v1/me/ping', undefined, { 'x-api-key': plaintext })
  expect((await ping()).status).toBe(200)
  await click(page, 'Pause: \u2068Nightly\u2069')
  await page.getByRole('button', { name: /^Resume: .Nightly/ }).waitFor()
  await click(page, 'Delete: \u2068Nightly\u2069')
  await click(page, 'Delete the key')
  await page.getByText('There are no keys yet.').waitFor()

  for (const section of ['Sign-in and security', 'Emails', 'Your data']) {
    await follow(page, section)
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    await expectAccessible(page, `account-${section.toLowerCase().replaceAll(' ', '-')}`)
  }

  await page.evaluate("localStorage.setItem('user.chain', '[]')")
  await click(page, 'Sign out')
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  expect(await page.evaluate("localStorage.getItem('user.chain')")).toBeNull()
  await follow(page, 'Forgot your password?')
  await heading(page, 'Forgot your password?')
  await page.getByLabel('Email').fill(email)
  await click(page, 'Send the link')
  await page.getByText('the link is on its way').waitFor()
  await expectAccessible(page, 'forgot-password-sent')
  await page.goto(await findInEmails(email, /https?:\S+\/auth\/reset-password\S+/))
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await click(page, 'Set the password')
  await page.getByText(`The password of ${email} is set`).waitFor()

  await page.evaluate('localStorage.clear()')
  await page.goto(`${system.api_url}/account/keys`)
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await heading(page, 'Sign in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/account/keys')
  await page.getByText('There are no keys yet.').waitFor()
})

test('a refusal is shown also when its field was changed before it arrived', async () => {
  const page = await openWebPage(browser(), `${system.api_url}/sign-up`, {}, /status of 422/)
  await page.getByLabel('Email').fill(freshAddress())
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('password')
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/auth/register', async (route) => {
    reached.resolve()
    await released.promise
    await route.continue()
  })
  const sent = page.waitForRequest('**/auth/register')
  await password.press('Enter')
  await sent
  await reached.promise
  await password.fill('password1')
  released.resolve()
  await page.getByText('Password is too common').waitFor()
})

test('the language that a signed-in user chooses is that of their emails', {
  tags: ['extended'],
}, async () => {
  const email = freshAddress()
  const page = await signUp(email)
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByRole('contentinfo').getByLabel('Language').selectOption('uk')
  expect((await saved).status()).toBe(200)
  await click(page, 'Надіслати код')
  await findInEmails(email, /\p{Script=Cyrillic}{4,}/u)
  await page.goto(`${system.api_url}/account/emails`)
  await expect.poll(() => page.getByLabel('Мова листів').inputValue()).toBe('uk')
  await page.getByLabel('Мова листів').selectOption('en')
  await page.getByText('Збережено.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Обліковий запис' }).waitFor()
})

test('emails are in the language that a visitor chose before the sign-up, and no sign-in changes it', {
  tags: ['extended'],
}, async () => {
  const email = freshAddress()
  const page = await openWebPage(browser(), `${system.api_url}/sign-up?next=/account`)
  await page.getByRole('contentinfo').getByLabel('Language').selectOption('uk')
  await page.getByLabel('Електронна пошта').fill(email)
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/account')
  // A request of the page that the sign-out overtakes is refused.
  await page.waitForLoadState('networkidle')
  await click(page, 'Вийти')
  await page.getByRole('banner').getByRole('link', { name: 'Увійти' }).waitFor()
  await page.getByRole('contentinfo').getByLabel('Мова').selectOption('ru')
  await page.goto(`${system.api_url}/sign-in?next=/account/emails`)
  await page.getByLabel('Электронная почта').fill(email)
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/account/emails')
  await expect.poll(() => page.getByLabel('Язык писем').inputValue()).toBe('uk')
})

test('an account lives and ends in Ukrainian', { tags: ['extended'] }, async () => {
  const email = freshAddress()
  const page = await openWebPage(browser(), `${system.api_url}/jobs`, { locale: 'uk' })
  await page.getByRole('main').getByRole('link', { name: 'Увійти' }).click()
  await follow(page, 'Створіть його')
  await heading(page, 'Новий обліковий запис')
  await page.getByLabel('Електронна пошта').fill(email)
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
  await click(page, 'Створити обліковий запис')
  await page.waitForURL('**/jobs')
  await page.getByText('Завдань іще немає').waitFor()
  await expectAccessible(page, 'jobs-uk')

  await follow(page, 'Обліковий запис')
  await page.getByText('Щоденні безкоштовні бонуси').first().waitFor()
  await expectAccessible(page, 'account-uk')
  await follow(page, 'Ваші дані')
  await click(page, 'Видалити обліковий запис…')
  await page.getByLabel(/Щоб підтвердити/).fill(email)
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
  await expectAccessible(page, 'delete-account-uk')
  await click(page, 'Видалити остаточно')
  await page.getByText('Обліковий запис видалено.').waitFor()
  await expect(new Client(system.api_url).login({ email, password: PASSWORD })).rejects.toThrow()
})
