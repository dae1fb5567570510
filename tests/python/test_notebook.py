# SPDX-License-Identifier: MIT
"""What a notebook shows is well-formed, has the values, and nothing of a name is markup."""

import dataclasses
import xml.etree.ElementTree as xml

import tdprobe


def test_values_and_marks(source):
    (result,) = tdprobe.replay(source / "traces" / "icl-myjoin8.trace")
    table = xml.fromstring(result._repr_html_())
    rows = {row.find("th").text: row for row in table.iter("tr")}
    assert list(rows) == [metric.name for _, metric in result.tree()]
    for name, row in rows.items():
        metric = result[name]
        assert row.findall("td")[0].text == f"{100 * metric.value:.1f} %"
        assert row.findall("td")[2].text == f"{100 * metric.low:.1f} to {100 * metric.high:.1f}, {metric.bounds}"
        assert f"width:{round(100 * metric.value, 2)}%" in xml.tostring(row).decode()
        assert ("bold" in row.find("th").get("style")) == (name in result.verdict.path)
    assert table.find("caption").find("b").text == str(result.verdict)


def test_hostile_names(source):
    (result,) = tdprobe.replay(source / "traces" / "icl-myjoin8.trace")
    bad = dataclasses.replace(result, scope="<script>alert(1)</script>\"'&", cpu="</table>")
    table = xml.fromstring(bad._repr_html_())
    assert not list(table.iter("script"))
    assert "<script>" in table.find("caption").text


def test_colours_are_the_programs(source):
    from tdprobe import _notebook

    text = (source / "report" / "page" / "colours.c").read_text()
    for node, colour in _notebook._COLOURS.items():
        assert f'{{"{node}", "{colour}", ' in text
