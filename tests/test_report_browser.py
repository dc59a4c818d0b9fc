"""The report in a browser: the table works, nothing errs, nothing is fetched."""

import csv
import time

import numpy as np
import pytest

import small_models
from browser import chromium, requested
from siernet.report import write_report

pytest.importorskip("plotly", reason="reports need the extra report")
pytest.importorskip("jinja2", reason="reports need the extra report")

LOCAL = ("file:", "data:", "blob:")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="module")
def driver(folder):
    with chromium(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(folder):
    """Addresses of reports by name."""
    regressor, classifier = small_models.regressor(), small_models.classifier()
    wide = small_models.wide()
    given = {
        "regression": (
            regressor.model,
            {"record": small_models.record(regressor, target=small_models.HOSTILE[1])},
        ),
        "classes": (classifier.model, {"record": small_models.record(classifier)}),
        "tuned": (small_models.tuned().model, {}),
        "wide": (wide.model, {"X": wide.X}),
    }
    return {
        name: write_report(model, folder / f"{name}.html", **options).as_uri()
        for name, (model, options) in given.items()
    }


@pytest.fixture
def view(driver, pages):
    """Opens a report, waits until it is drawn, and checks afterwards that nothing went wrong."""
    driver.get_log("browser")
    requested(driver)

    def opened(name):
        driver.get(pages[name])
        until(driver, "return document.documentElement.dataset.ready === 'true'")
        return driver

    yield opened
    assert driver.get_log("browser") == []
    asked = requested(driver)
    assert asked  # the log works: at least the page itself
    assert [address for address in asked if not address.startswith(LOCAL)] == []


def until(driver, script, seconds=60):
    end = time.monotonic() + seconds
    while not driver.execute_script(script):
        assert time.monotonic() < end, f"never true: {script}"
        time.sleep(0.05)


def body(driver):
    """The table's shown rows as texts."""
    return driver.execute_script(
        "return [...document.querySelectorAll('#table tbody tr')]"
        ".map((row) => [...row.children].map((cell) => cell.textContent))"
    )


def column(driver, place):
    return [row[place] for row in body(driver)]


def find(driver, selector):
    return driver.find_element("css selector", selector)


def type_into(driver, selector, text):
    field = find(driver, selector)
    field.clear()
    field.send_keys(text or " \b")


def status(driver):
    return find(driver, "#status").text


@pytest.mark.parametrize("name", ["regression", "classes", "tuned", "wide"])
def test_every_figure_is_drawn(view, name):
    driver = view(name)
    empty = driver.execute_script(
        "return [...document.querySelectorAll('[data-figure]')]"
        ".filter((plot) => !plot.querySelector('.main-svg .traces path, .main-svg .trace path,"
        " .main-svg image')).map((plot) => plot.dataset.figure)"
    )
    assert empty == []
    assert driver.execute_script("return document.querySelectorAll('[data-figure]').length") > 4
    # nothing to the side of the page: phones would scroll
    for width in (390, 1200):
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False},
        )
        assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_hostile_names_show_as_text_and_run_nothing(view):
    for name in ("regression", "classes"):
        driver = view(name)
        assert driver.execute_script("return document.querySelectorAll('img, main b').length") == 0
        assert set(small_models.HOSTILE[:2]) < set(column(driver, 1))
        ticks = driver.execute_script(
            "return [...document.querySelectorAll('#figure-rates .ytick text')]"
            ".map((tick) => tick.textContent)"
        )
        assert "<script>alert(1)</script>" in ticks
        assert any(tick.startswith("<b>bold</b><a href=") for tick in ticks)
        links = "return document.querySelectorAll('svg a, a[href^=javascript]').length"
        assert driver.execute_script(links) == 0
    title = find(driver, "title").get_attribute("textContent")
    assert title == "What predicts yield"
    driver = view("regression")
    assert find(driver, "h1").text == "What predicts </script><img src=x onerror=alert(2)>"


def test_search_narrows_the_table(view):
    driver = view("wide")
    type_into(driver, "#search", "X1999")
    names = {"x1999", *(f"x1999{digit}" for digit in range(10))}
    assert set(column(driver, 1)) == names
    assert "11, of 20,000 in all" in status(driver)
    type_into(driver, "#search", "nothing like it")
    assert body(driver) == []
    assert status(driver).startswith("No variable matches")
    type_into(driver, "#search", "")
    assert "of 20,000" in status(driver)


def test_only_some_rows_are_in_the_page(view):
    """20,000 variables: sorting, searching and paging never put them all into the document."""
    driver = view("wide")
    nodes = "return document.querySelectorAll('#table tr').length"
    assert driver.execute_script(nodes) == 26
    for key in ("name", "share", "rank"):
        find(driver, f"th[data-key={key}] button").click()
        assert driver.execute_script(nodes) == 26
    find(driver, "#size option:last-child").click()
    assert driver.execute_script(nodes) == 501
    find(driver, "[data-go=last]").click()
    assert driver.execute_script(nodes) <= 501
    assert driver.execute_script("return document.querySelectorAll('*').length") < 15_000


def test_columns_sort_both_ways_and_say_so(view):
    driver = view("wide")
    heading = find(driver, "th[data-key=name]")
    find(driver, "th[data-key=name] button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert column(driver, 1)[:3] == ["x0", "x1", "x2"]  # x2 before x10
    find(driver, "th[data-key=name] button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert column(driver, 1)[0] == "x19999"
    find(driver, "th[data-key=change] button").click()
    assert heading.get_attribute("aria-sort") is None
    changes = [float(text.replace("\N{MINUS SIGN}", "-")) for text in column(driver, -1)]
    assert changes == sorted(changes, reverse=True)
    assert changes[0] > 0
    sorted_by = driver.execute_script("return document.querySelectorAll('[aria-sort]').length")
    assert sorted_by == 1


def test_pages_turn_and_stop_at_the_ends(view):
    driver = view("wide")
    assert find(driver, "[data-go=previous]").get_attribute("aria-disabled") == "true"
    find(driver, "[data-go=next]").click()
    assert column(driver, 0)[0] == "26"
    find(driver, "[data-go=last]").click()
    assert column(driver, 0)[-1] == "20,000"
    assert find(driver, "[data-go=next]").get_attribute("aria-disabled") == "true"
    find(driver, "[data-go=next]").click()
    assert column(driver, 0)[-1] == "20,000"
    driver.execute_script(
        "const page = document.getElementById('page'); page.value = '999999';"
        "page.dispatchEvent(new Event('change'))"
    )
    assert find(driver, "#page").get_attribute("value") == "800"


def test_keys_alone_sort_the_table(view):
    from selenium.webdriver.common.keys import Keys

    driver = view("regression")
    driver.execute_script("document.getElementById('download').focus()")
    seen = []
    for _ in range(4):  # the table's own scrolling, then its headings
        driver.switch_to.active_element.send_keys(Keys.TAB)
        seen.append(driver.switch_to.active_element.text)
    assert "Variable" in seen
    heading = find(driver, "th[data-key=name] button")
    driver.execute_script("arguments[0].focus()", heading)
    heading.send_keys(Keys.ENTER)
    assert find(driver, "th[data-key=name]").get_attribute("aria-sort") == "ascending"
    outline = driver.execute_script("return getComputedStyle(document.activeElement).outlineWidth")
    assert outline != "0px"


def downloaded(driver, folder):
    target = folder / "downloads" / "variables.csv"
    target.unlink(missing_ok=True)
    find(driver, "#download").click()
    end = time.monotonic() + 30
    while not target.exists():
        assert time.monotonic() < end, "nothing was downloaded"
        time.sleep(0.05)
    with target.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_download_holds_the_models_numbers(view, folder):
    model = small_models.wide().model
    rows = downloaded(view("wide"), folder)
    assert len(rows) == 20_000
    columns = np.array([int(row["column"]) for row in rows]) - 1
    rates = np.array([float(row["rate"]) for row in rows])
    np.testing.assert_allclose(rates, model.selection_rates_[columns])
    assert [row["variable"] for row in rows[:50]] == [f"x{c}" for c in columns[:50]]


def test_download_is_what_was_searched_for_and_starts_no_formula(view, folder):
    driver = view("regression")
    type_into(driver, "#search", "hyper")
    (row,) = downloaded(driver, folder)
    assert row["variable"] == "'" + small_models.HOSTILE[3]


def test_dark_where_the_reader_asks_for_it(view):
    driver = view("regression")

    def colours():
        return driver.execute_script(
            "const of = (element) => getComputedStyle(element);"
            "return [of(document.body).backgroundColor, of(document.body).color,"
            " of(document.querySelector('#figure-rates .ytick text')).fill]"
        )

    def brightness(colour):
        return sum(map(int, colour[colour.index("(") + 1 : -1].split(",")[:3]))

    def scheme(value):
        feature = {"name": "prefers-color-scheme", "value": value}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    scheme("light")
    paper, ink, tick = map(brightness, colours())
    assert paper > 700
    assert max(ink, tick) < 200
    scheme("dark")
    until(driver, "return document.getElementById('theme').textContent === 'Light'")
    paper, ink, tick = map(brightness, colours())
    assert paper < 100
    assert min(ink, tick) > 500
    find(driver, "#theme").click()  # the reader's own choice goes before the system's
    assert brightness(colours()[0]) > 700
    scheme("light")


def test_print_leaves_out_the_controls(view):
    driver = view("classes")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = {
        selector: find(driver, selector).is_displayed()
        for selector in ("#controls", "#pages", "header.top", "#table", "#figure-rates", ".printed")
    }
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert shown == {
        "#controls": False,
        "#pages": False,
        "header.top": False,
        "#table": True,
        "#figure-rates": True,
        ".printed": True,
    }
