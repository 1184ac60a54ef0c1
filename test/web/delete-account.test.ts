import { expect, inject, test } from 'vitest'
import { Client } from '../../dev/client.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { openAccount } from '../support/accounts.ts'
import { openOrder, waitForOrderStatus } from '../support/checkout.ts'
import { useChromium } from '../support/chromium.ts'
import { openSandbox } from '../support/payment-sandbox.ts'
import { openWebPage } from '../support/web-page.ts'

const system = inject('system')
const sandbox = openSandbox(system)
const browser = useChromium()

const WORDS = {
  en: {
    email: 'Email',
    password: 'Password',
    open: 'Delete the account…',
    confirm: /To confirm/,
    submit: 'Delete the account for good',
    done: 'The account is deleted.',
    request: 'Pay it back',
    waive: 'Give it up',
    amount: /USD.2\.00 can be paid back/,
  },
  uk: {
    email: 'Електронна пошта',
    password: 'Пароль',
    open: 'Видалити обліковий запис…',
    confirm: /Щоб підтвердити/,
    submit: 'Видалити остаточно',
    done: 'Обліковий запис видалено.',
    request: 'Повернути їх',
    waive: 'Відмовитися від них',
    amount: /можна повернути 2,00.USD/,
  },
  ru: {
    email: 'Электронная почта',
    password: 'Пароль',
    open: 'Удалить аккаунт…',
    confirm: /Чтобы подтвердить/,
    submit: 'Удалить навсегда',
    done: 'Аккаунт удален.',
    request: 'Вернуть их',
    waive: 'Отказаться от них',
    amount: /можно вернуть 2,00.USD/,
  },
} as const

test.each([
  ['en', 'request'],
  ['uk', 'waive'],
  ['ru', 'request'],
] as const)(
  'deleting an account in %s shows what can be paid back, and carries out: %s',
  async (locale, choice) => {
    const words = WORDS[locale]
    const { client, credentials } = await openAccount(system.api_url)
    const { order_id } = await openOrder(client, { package_id: 1 })
    await sandbox.act(order_id, 'pay')
    await waitForOrderStatus(client, order_id, 'paid')
    const url = `${system.api_url}/sign-in?next=/account/data`
    const page = await openWebPage(browser(), url, { locale }, /status of 409/)
    await page.getByLabel(words.email).fill(credentials.email)
    await page.getByLabel(words.password, { exact: true }).fill(credentials.password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: words.open }).click()
    await page.getByLabel(words.confirm).fill(credentials.email)
    await page.getByLabel(words.password, { exact: true }).fill(credentials.password)
    await page.getByRole('button', { name: words.submit }).click()
    await page.getByText(words.amount).waitFor()
    await expectAccessible(page, `delete-account-refund-${locale}`)
    await page.getByRole('radio', { name: words[choice] }).check()
    await page.getByRole('button', { name: words.submit }).click()
    await page.getByText(words.done).waitFor()
    await expect(new Client(system.api_url).login(credentials)).rejects.toThrow()
    const refunds = async () => (await sandbox.show(order_id)).refunds.map(({ status }) => status)
    await expect.poll(refunds).toHaveLength(choice === 'request' ? 1 : 0)
  },
)
