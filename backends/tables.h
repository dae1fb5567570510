/* SPDX-License-Identifier: MIT */
/* The published metrics of each CPU, in the notation that backends/NOTATION explains. */
#ifndef TD_TABLES_H
#define TD_TABLES_H

#include "core/formula/table.h"

extern const struct td_table td_table_adl_e, td_table_adl_p, td_table_bdw, td_table_bdx, td_table_clx, td_table_ehl,
    td_table_gnr, td_table_hsw, td_table_hsx, td_table_icl, td_table_icx, td_table_ivb, td_table_ivt, td_table_jkt,
    td_table_lnl_e, td_table_lnl_p, td_table_mtl_e, td_table_mtl_p, td_table_ptl_p, td_table_skl, td_table_skx,
    td_table_snb, td_table_spr, td_table_spr_hbm, td_table_srf, td_table_tgl;
extern const struct td_table td_table_ampereone, td_table_ampereonex, td_table_neoverse_n1, td_table_neoverse_n2,
    td_table_neoverse_n2_r0p3, td_table_neoverse_n3, td_table_neoverse_v1, td_table_neoverse_v2, td_table_neoverse_v3;
extern const struct td_table td_table_zen1, td_table_zen2, td_table_zen3, td_table_zen4, td_table_zen5, td_table_zen6;

#endif
