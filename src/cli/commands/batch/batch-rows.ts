/** Flags of `chat batch` that a single answer does not have. */
import {inGroup, option, optional, toggle} from '../../../settings/options/option-row.ts';
import {integerFrom, parseName} from '../../../settings/options/parsers.ts';

export const batchRows = inGroup('Options', {
	output: optional(parseName, {
		flags: ['-o, --output <file>'],
		values: 'files',
		summary: 'file for the answers, which the next run continues (default: stdout)',
	}),
	jobs: option(integerFrom(1, 1000), {
		flags: ['-j, --jobs <n>'],
		summary: 'maximum requests at once; the service may permit fewer',
		defaultValue: 4,
	}),
	retryFailed: toggle(false, {
		flags: ['--retry-failed'],
		summary: 'ask failed and cut off lines again, replacing their answers',
	}),
	submit: toggle(false, {
		flags: ['--submit'],
		summary: "hand the lines to the service's own batch endpoint (OpenAI's form)",
	}),
	collect: toggle(false, {
		flags: ['--collect'],
		summary: 'fetch the answers of what was submitted',
	}),
	dryRun: toggle(false, {
		flags: ['--dry-run'],
		summary: 'check every line, and send nothing',
	}),
});
