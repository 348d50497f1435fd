/** The report of `chat doctor`: lines for people, JSON for programs and for reports of problems. */
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
import {createStyler, type Style, type Styler} from '../../../terminal/style.ts';
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
			const rows = formatFindings(shown, {show, style, columns: textWidthOf(stdout)});
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

/** The column of `ok` beside the title of a section without problems. */
const titleWidth = 14;

const styleOf: Readonly<Record<Finding['status'], Style>> = {
	ok: 'green',
	note: 'magenta',
	fail: 'red',
};

const statusWidth = 4;
/** In a section without longer names. */
const nameWidth = 14;
const minTextWidth = 30;

type Look = {readonly show: Show; readonly style: Styler; readonly columns: number};

function formatFindings(findings: readonly Finding[], {show, style, columns}: Look): SafeText {
	const names = findings.map(({name}) => name.padEnd(nameWidth));
	const indent = 2 + statusWidth + 2;
	const beside = columns - indent - Math.max(...names.map((name) => textWidth(name))) - 2;
	const isNarrow = beside < minTextWidth;
	const cells = findings.map(({text, next}, index) => {
		const lines = next === undefined ? [text] : [text, `Next: ${next}`];
		const width = isNarrow ? columns - indent : beside;
		const rows = lines.flatMap((line) => wrapLine(show(line), width, ''));
		const name = names[index] ?? '';
		// In a narrow window, the text goes below the name.
		return isNarrow
			? [[name], ...rows.map((row) => [row])]
			: rows.map((row, at) => [at === 0 ? name : '', row]);
	});
	const lines = alignColumns(cells.flat()).split('\n');
	const labels = findings.flatMap(({status}, index) => {
		const blank = stripUnsafe(' '.repeat(statusWidth));
		const padding = stripUnsafe(' '.repeat(statusWidth - status.length));
		const label = joinSafe(style(stripUnsafe(status), styleOf[status]), padding);
		return (cells[index] ?? []).map((_, at) => (at === 0 ? label : blank));
	});
	return joinSafe(
		...labels.map((label, at) => safe`  ${label}  ${stripUnsafe(lines[at] ?? '')}\n`),
	);
}
