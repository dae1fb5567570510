# SPDX-License-Identifier: MIT
libtd_sources += \
	private/code.h \
	private/drawing.h \
	private/exported.h \
	private/facts.h \
	private/packed.h \
	private/plan.h \
	private/result.h \
	private/rights.h \
	private/run.h
