/** The report of `chat doctor`: lines for people, JSON for programs and for reports of problems. */
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import {toJsonLine} from '../../../json.ts';
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
import type {Finding} from './finding.ts';

export type Section = {readonly title: string; readonly findings: readonly Finding[]};

export type ReportFormat = {
	/** Returns what to print after the last of these sections. */
	section(sections: readonly Section[]): SafeText;
	end(sections: readonly Section[], exitCode: ExitCode): SafeText;
};

export function createReportFormat(
	redact: Redact,
	{output, color, verbose}: Settings,
	{stdout, variables, homedir}: Environment,
): ReportFormat {
	const show = (text: string) => shortenHome(redact(stripToLine(text)), homedir);
	if (output !== 'text') return createJsonFormat(show, output);
	const hasColor = decideColor(color, variables);
	const style: Styler = stdout.isTerminal ? createStyler({hasColor}) : (text) => text;
	const columns = textWidthOf(stdout);
	return {
		section(sections) {
			const {title = '', findings = []} = sections.at(-1) ?? {};
			const heading = style(stripUnsafe(title), 'bold');
			const shown = verbose ? findings : findings.filter(({status}) => status !== 'ok');
			if (shown.length === 0) {
				const padding = ' '.repeat(Math.max(1, titleWidth - title.length));
				return joinSafe(heading, stripUnsafe(padding), style(safe`ok`, styleOf.ok), safe`\n`);
			}
			const gap = verbose && sections.length > 1 ? safe`\n` : safe``;
			const nameWidth = Math.max(usualNameWidth, ...shown.map(({name}) => textWidth(name)));
			const look = {show, style, columns, nameWidth};
			const rows = shown.map((finding) => formatFinding(finding, look));
			return joinSafe(gap, heading, safe`\n`, ...rows);
		},
		end: (sections) => {
			const rest = verbose ? '' : '; chat doctor -v shows every check';
			return joinSafe(safe`\n`, stripUnsafe(summarize(sections) + rest), safe`\n`);
		},
	};
}

function createJsonFormat(show: (text: string) => string, output: 'json' | 'jsonl'): ReportFormat {
	const toJson = ({title, findings}: Section) =>
		findings.map(({status, name, text, next = null}) => {
			return {section: title, status, name, text: show(text), next: next && show(next)};
		});
	const nothing = safe``;
	return {
		section: (sections) =>
			output === 'json'
				? nothing
				: stripUnsafe(sections.slice(-1).flatMap(toJson).map(toJsonLine).join('')),
		end: (sections, exitCode) =>
			output === 'jsonl'
				? nothing
				: stripUnsafe(toJsonLine({exit_code: exitCode, findings: sections.flatMap(toJson)})),
	};
}

function summarize(sections: readonly Section[]): string {
	const findings = sections.flatMap((section) => section.findings);
	const count = (status: Finding['status'], word: string) =>
		plural(findings.filter((finding) => finding.status === status).length, word);
	return `${count('fail', 'problem')}, ${count('note', 'note')}`;
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
const usualNameWidth = 14;
const minTextWidth = 30;

type Look = {
	readonly show: (text: string) => string;
	readonly style: Styler;
	readonly columns: number;
	readonly nameWidth: number;
};

function formatFinding(
	{status, name, text, next}: Finding,
	{show, style, columns, nameWidth}: Look,
): SafeText {
	const left = 2 + statusWidth + 2;
	const beside = left + nameWidth + 2;
	// In a narrow window, the text goes below the name.
	const indent = columns - beside < minTextWidth ? left : beside;
	const lines = next === undefined ? [text] : [text, `Next: ${next}`];
	const rows = lines.flatMap((line) => wrapLine(show(line), columns - indent, ''));
	const head = `${' '.repeat(statusWidth - status.length)}  ${name}`;
	const padding =
		indent === beside ? ' '.repeat(nameWidth + 2 - textWidth(name)) : `\n${' '.repeat(left)}`;
	const body = rows.join(`\n${' '.repeat(indent)}`);
	const label = style(stripUnsafe(status), styleOf[status]);
	return safe`  ${label}${stripUnsafe(`${head}${padding}${body}`)}\n`;
}
