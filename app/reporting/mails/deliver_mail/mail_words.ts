import type { Language } from '#shared/languages'

const ru = {
  hello: 'Здравствуйте!',
  statement: {
    subject: 'Ведомость {number} за {period} · {partner}',
    lead: 'Во вложении ведомость взаиморасчётов {number} за {period}, {partner}.',
  },
  reports: {
    current_period: 'Проект взаиморасчётов за текущий период',
    last_period: 'Взаиморасчёты за прошедший период',
    defects: 'Дефекты оплат и подтверждений',
  },
  report: {
    subject: '{report}, {period} · {partner}',
    lead: 'Во вложении отчёт по расписанию. {report}, {period}, {partner}.',
  },
  failed: {
    subject: 'Отчёт не готов: {report} · {partner}',
    lead: 'Отчёт «{report}» ({partner}) подготовить не удалось, код {code}. Спросите о нём: {asker}.',
  },
  alert: {
    subject: 'Подтверждения не приняты по нашей вине: {count} · {partner}',
    lead: 'На подтверждения оплаты партнёра {partner} мы ответили ошибкой или не ответили совсем, и заказы не оплачены: {orders}. С покупателей могли списать деньги. Пока окно оплаты открыто, попросите партнёра повторить подтверждение; после окна это случай по вине платформы. Список: {backOffice}',
  },
  partnerOwes: 'Сальдо на конец периода: партнёр должен площадке {closing}.',
  weOwe: 'Сальдо на конец периода: площадка должна партнёру {closing}.',
  due: 'К оплате за период: {due}, из них оплачено: {paid} ({payment}).',
  paymentStatuses: {
    open: 'не оплачена',
    part_paid: 'оплачена частично',
    paid: 'оплачена',
    overpaid: 'переплачена',
  },
  openCases: 'Открытых случаев за период: {cases}, под риском: {atRisk}.',
  noOpenCases: 'Открытых случаев за период нет.',
  parties: { buyer: 'у покупателей', platform: 'у площадки', partner: 'у партнёра' },
  file: 'Файл: {name}, {size} МБ. SHA-256: {sha256}',
  tooLarge:
    'Файл {name} ({size} МБ) слишком велик для письма, поэтому его здесь нет. Попросите его у {asker}.',
  ask: 'Вопросы по документу: {asker}.',
  automatic: 'Письмо отправлено автоматически.',
}
export type MailWords = typeof ru

const kk: MailWords = {
  hello: 'Сәлеметсіз бе!',
  statement: {
    subject: '{number} ведомосі, {period} · {partner}',
    lead: 'Қосымшада {period} кезеңіндегі өзара есеп айырысудың {number} ведомосі, {partner}.',
  },
  reports: {
    current_period: 'Ағымдағы кезең бойынша өзара есеп айырысу жобасы',
    last_period: 'Өткен кезең бойынша өзара есеп айырысу',
    defects: 'Төлемдер мен растаулардың ақаулары',
  },
  report: {
    subject: '{report}, {period} · {partner}',
    lead: 'Қосымшада кесте бойынша есеп. {report}, {period}, {partner}.',
  },
  failed: {
    subject: 'Есеп дайын емес: {report} · {partner}',
    lead: '«{report}» есебін ({partner}) дайындау мүмкін болмады, код {code}. Мына мекенжайдан сұраңыз: {asker}.',
  },
  alert: {
    subject: 'Растаулар біздің кінәмізден қабылданбады: {count} · {partner}',
    lead: '{partner} серіктесінің төлем растауларына біз қате қайтардық немесе мүлде жауап бермедік, тапсырыстар төленбеген: {orders}. Сатып алушылардан ақша алынған болуы мүмкін. Төлем уақыты біткенше серіктестен растауды қайталауды сұраңыз; одан кейін бұл платформа кінәсінен болған жағдай. Тізім: {backOffice}',
  },
  partnerOwes: 'Кезең соңындағы сальдо: серіктес алаңға {closing} қарыз.',
  weOwe: 'Кезең соңындағы сальдо: алаң серіктеске {closing} қарыз.',
  due: 'Кезең үшін төленуге тиіс: {due}, оның төленгені: {paid} ({payment}).',
  paymentStatuses: {
    open: 'төленбеген',
    part_paid: 'ішінара төленді',
    paid: 'төленді',
    overpaid: 'артық төленген',
  },
  openCases: 'Кезеңдегі ашық оқиғалар: {cases}, тәуекелде: {atRisk}.',
  noOpenCases: 'Кезеңде ашық оқиға жоқ.',
  parties: { buyer: 'сатып алушыларда', platform: 'алаңда', partner: 'серіктесте' },
  file: 'Файл: {name}, {size} МБ. SHA-256: {sha256}',
  tooLarge:
    '{name} файлы ({size} МБ) хат үшін тым үлкен, сондықтан мұнда жоқ. Оны мына мекенжайдан сұраңыз: {asker}.',
  ask: 'Құжат бойынша сұрақтар: {asker}.',
  automatic: 'Хат автоматты түрде жіберілді.',
}

const en: MailWords = {
  hello: 'Hello,',
  statement: {
    subject: 'Statement {number} for {period} · {partner}',
    lead: 'Attached is the settlement statement {number} for {period}, {partner}.',
  },
  reports: {
    current_period: 'Draft settlement of the current period',
    last_period: 'Settlement of the last period',
    defects: 'Defects of payments and confirms',
  },
  report: {
    subject: '{report}, {period} · {partner}',
    lead: 'Attached is a scheduled report. {report}, {period}, {partner}.',
  },
  failed: {
    subject: 'Report not made: {report} · {partner}',
    lead: 'The report “{report}” ({partner}) could not be made, code {code}. Ask {asker} about it.',
  },
  alert: {
    subject: 'Confirms that we failed: {count} · {partner}',
    lead: 'We answered confirms of {partner} with an error or not at all, and the orders are not paid: {orders}. The buyers may have been charged. While the payment window is open, ask the partner to repeat the confirm; afterwards it is a case with our fault. The list: {backOffice}',
  },
  partnerOwes: 'Closing balance: the partner owes the platform {closing}.',
  weOwe: 'Closing balance: the platform owes the partner {closing}.',
  due: 'Due for the period: {due}, paid of it: {paid} ({payment}).',
  paymentStatuses: { open: 'not paid', part_paid: 'part paid', paid: 'paid', overpaid: 'overpaid' },
  openCases: 'Open cases of the period: {cases}, at risk: {atRisk}.',
  noOpenCases: 'The period has no open cases.',
  parties: { buyer: 'buyers', platform: 'the platform', partner: 'the partner' },
  file: 'File: {name}, {size} MB. SHA-256: {sha256}',
  tooLarge:
    'The file {name} ({size} MB) is too large for a mail, so it is not attached. Ask {asker} for it.',
  ask: 'Questions about the document: {asker}.',
  automatic: 'This mail was sent automatically.',
}

export const MAIL_WORDS: Record<Language, MailWords> = { ru, kk, en }
