/** The `chat doctor` report: lines for people, JSON for programs and bug reports. */
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import {toJsonLine} from '../../../json.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {printText} from '../../../output/print.ts';
import {createStdoutWriter} from '../../../output/streams.ts';
import type {Redact} from '../../../redact.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {decideColor} from '../../../terminal/capabilities.ts';
import {
	joinSafe,
	type SafeText,
	safe,
	stripToLine,
	stripUnsafe,
} from '../../../terminal/safe-text.ts';
import {createStyler, type Styler} from '../../../terminal/style.ts';
import type {Style} from '../../../terminal/theme.ts';
import {textWidth} from '../../../terminal/width.ts';
import {plural, shortenHome, textWidthOf, wrapLine} from '../../../wording.ts';
import type {Finding} from './checkup.ts';

export type Section = {readonly title: string; readonly findings: readonly Finding[]};

export type Report = {
	/** Adds a section, which is finished. */
	add(section: Section): Promise<unknown>;
	end(exitCode: ExitCode): Promise<unknown>;
};

export function createReport(redact: Redact, settings: Settings, environment: Environment): Report {
	const show = (text: string) => shortenHome(redact(stripToLine(text)), environment.homedir);
	const {output} = settings;
	if (output === 'text') return createTextReport(show, settings, environment);
	const rows: object[] = [];
	return {
		async add({title, findings}) {
			const added = findings.map(({status, name, text, next = null}) => {
				return {section: title, status, name, text: show(text), next: next && show(next)};
			});
			rows.push(...added);
			if (output === 'jsonl') await printText(added.map(toJsonLine).join(''), environment);
		},
		async end(exitCode) {
			if (output === 'jsonl') return;
			await printText(toJsonLine({exit_code: exitCode, findings: rows}), environment);
		},
	};
}

type Show = (text: string) => string;

function createTextReport(
	show: Show,
	{color, verbose}: Settings,
	{stdout, variables}: Environment,
): Report {
	const hasColor = decideColor(color, variables);
	const style: Styler = stdout.isTerminal ? createStyler({hasColor}) : (text) => text;
	const writer = createStdoutWriter(stdout);
	const all: Finding[] = [];
	return {
		async add({title, findings}) {
			const gap = verbose && all.length > 0 ? safe`\n` : safe``;
			all.push(...findings);
			const heading = style(stripUnsafe(title), 'bold');
			const shown = verbose ? findings : findings.filter(({status}) => status !== 'ok');
			if (shown.length === 0) {
				const padding = stripUnsafe(' '.repeat(Math.max(1, titleWidth - title.length)));
				await writer.write(safe`${heading}${padding}${style(safe`ok`, styleOf.ok)}\n`);
				return;
			}
			const rows = await formatFindings(shown, {show, style, columns: textWidthOf(stdout)});
			await writer.write(safe`${gap}${heading}\n${rows}`);
		},
		async end() {
			const count = (status: Finding['status'], word: string) =>
				plural(all.filter((finding) => finding.status === status).length, word);
			const rest = verbose ? '' : '; chat doctor -v shows every check';
			const summary = `${count('fail', 'problem')}, ${count('note', 'note')}${rest}`;
			await writer.write(safe`\n${stripUnsafe(summary)}\n`);
		},
	};
}

/** The column of `ok` beside a title without problems. */
const titleWidth = 14;

const styleOf: Readonly<Record<Finding['status'], Style>> = {
	ok: 'success',
	note: 'warning',
	fail: 'error',
};

const statusWidth = 4;
/** The minimum, giving most sections the same columns. */
const nameWidth = 14;
const minTextWidth = 30;

type Look = {readonly show: Show; readonly style: Styler; readonly columns: number};

async function formatFindings(
	findings: readonly Finding[],
	{show, style, columns}: Look,
): Promise<SafeText> {
	const longest = Math.max(nameWidth, ...findings.map(({name}) => textWidth(name)));
	const left = 2 + statusWidth + 2;
	const room = columns - left - longest - 2;
	const isNarrow = room < minTextWidth;
	const rows = findings.flatMap(({status, name, text, next}) => {
		const lines = next === undefined ? [text] : [text, `Next: ${next}`];
		const width = isNarrow ? columns - left : room;
		const [first = '', ...rest] = lines.flatMap((line) => wrapLine(show(line), width, ''));
		const head = status.padEnd(statusWidth);
		// In a narrow window, the text goes below the name.
		return isNarrow
			? [[head, name], ...[first, ...rest].map((row) => ['', row])]
			: [[head, padName(name), first], ...rest.map((row) => ['', '', row])];
	});
	const lines = (await alignColumns(rows)).replace(/\n$/, '').split('\n');
	return joinSafe(
		...lines.map((line) => {
			const [status = ''] = /^\w*/.exec(line) ?? [];
			const label = isStatus(status) ? style(stripUnsafe(status), styleOf[status]) : safe``;
			return safe`  ${label}${stripUnsafe(line.slice(status.length))}\n`;
		}),
	);
}

/** An Asian character takes two cells. */
function padName(name: string): string {
	return name + ' '.repeat(Math.max(0, nameWidth - textWidth(name)));
}

function isStatus(text: string): text is Finding['status'] {
	return Object.hasOwn(styleOf, text);
}
